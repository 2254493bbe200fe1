/**
 * What the operations of one activity draw. Only what is new is worked through, and what somebody has typed stays, unless
 * the agent says something else in its place: also where a surface is drawn anew.
 */
import { type A2uiClientAction, type A2uiMessage, DataModel, MessageProcessor, type SurfaceModel, type WebComponentImplementation } from "@a2ui/web_core/v0_9";
import { catalogs } from "./catalog.js";
import { type Edit, editsOf, stillStand } from "./edits.js";

export type Surface = SurfaceModel<WebComponentImplementation>;
export type Action = A2uiClientAction;

export class Screen {
  private processor: MessageProcessor<WebComponentImplementation>;
  /** What was worked through, each as text. */
  private past: string[] = [];
  /** The data of each surface as the agent says it is, without what somebody has typed. */
  private said = new Map<string, DataModel>();

  constructor(private readonly onAction: (action: Action) => void) {
    this.processor = this.fresh();
  }

  get surfaces(): Surface[] {
    return [...this.processor.model.surfacesMap.values()];
  }

  /** Draws. Throws where an operation cannot be; what was there before it is shown. */
  update(operations: unknown[]): void {
    const texts = operations.map((operation) => JSON.stringify(operation));
    const goesOn = this.past.every((text, at) => text === texts[at]);
    const edits = this.edits();
    if (!goesOn) this.processor = this.fresh();
    const next = operations.slice(goesOn ? this.past.length : 0);
    this.past = texts;
    try {
      for (const operation of next) this.work(operation as A2uiMessage);
    } finally {
      this.restore(edits);
    }
  }

  /** What is typed is written into the data, so the two may not share any of it. */
  private work(operation: A2uiMessage): void {
    this.processor.processMessages([structuredClone(operation)]);
    if ("createSurface" in operation) this.said.set(operation.createSurface.surfaceId, new DataModel());
    if ("updateDataModel" in operation) {
      const { surfaceId, path, value } = operation.updateDataModel;
      this.said.get(surfaceId)?.set(path ?? "/", structuredClone(value));
    }
  }

  private fresh(): MessageProcessor<WebComponentImplementation> {
    return new MessageProcessor(catalogs, (action) => this.onAction(action));
  }

  /** What somebody has typed into each surface, and what the agent had said there. */
  private edits(): Map<string, Typed> {
    const typed = this.surfaces.map((surface): [string, Typed] => {
      const said: unknown = structuredClone(this.said.get(surface.id)?.get("/"));
      return [surface.id, { said, edits: editsOf(said, surface.dataModel.get("/")) }];
    });
    return new Map(typed);
  }

  private restore(before: Map<string, Typed>): void {
    for (const surface of this.surfaces) {
      const typed = before.get(surface.id);
      if (typed === undefined) continue;
      const standing = stillStand(typed.edits, typed.said, this.said.get(surface.id)?.get("/"));
      for (const edit of standing) surface.dataModel.set(edit.path, edit.value);
    }
  }
}

interface Typed {
  said: unknown;
  edits: Edit[];
}
