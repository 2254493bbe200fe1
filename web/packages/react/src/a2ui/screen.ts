/**
 * What the operations of one activity draw. Only what is new is worked through, and what somebody has typed stays, unless
 * the agent says something else in its place: also where a surface is drawn anew.
 */
import { type A2uiClientAction, type A2uiMessage, MessageProcessor, type SurfaceModel, type WebComponentImplementation } from "@a2ui/web_core/v0_9";
import { catalogs } from "./catalog.js";
import { type Edit, editsOf, stillStand } from "./edits.js";

export type Surface = SurfaceModel<WebComponentImplementation>;
export type Action = A2uiClientAction;

export class Screen {
  private processor: MessageProcessor<WebComponentImplementation>;
  /** What was worked through, each as text. */
  private past: string[] = [];
  /** The data as the agent said it last. */
  private said = new Map<string, unknown>();

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
      for (const operation of next) this.processor.processMessages([operation as A2uiMessage]);
    } finally {
      this.remember();
      this.restore(edits);
    }
  }

  private fresh(): MessageProcessor<WebComponentImplementation> {
    return new MessageProcessor(catalogs, (action) => this.onAction(action));
  }

  /** What somebody has typed into each surface since the agent last spoke. */
  private edits(): Map<string, { said: unknown; edits: Edit[] }> {
    const all = this.surfaces.map((surface): [string, { said: unknown; edits: Edit[] }] => {
      const said = this.said.get(surface.id);
      return [surface.id, { said, edits: editsOf(said, surface.dataModel.get("/")) }];
    });
    return new Map(all);
  }

  private remember(): void {
    this.said = new Map(this.surfaces.map((surface) => [surface.id, structuredClone(surface.dataModel.get("/"))]));
  }

  private restore(before: Map<string, { said: unknown; edits: Edit[] }>): void {
    for (const surface of this.surfaces) {
      const known = before.get(surface.id);
      if (known === undefined) continue;
      for (const edit of stillStand(known.edits, known.said, this.said.get(surface.id))) surface.dataModel.set(edit.path, edit.value);
    }
  }
}
