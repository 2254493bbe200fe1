/**
 * Things to put into zones. They are dragged, or picked with a press and placed with a second one, which is how keyboards,
 * screen readers and unsteady fingers do it. A zone that takes one group only says so at once.
 */
import { useState } from "react";
import type { DndExerciseAnswer } from "../generated/its.js";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Zone } from "./dnd-zone.js";
import { Chip } from "./dnd-chip.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { Nothing } from "./nothing.js";
import { type Args, type Shown, given } from "./phase.js";
import { SkipButton, itsTool, useAnnounce } from "./tool.js";
import { useDrag } from "./use-drag.js";
import { words } from "./words.js";
import "./dnd-exercise.css";

const NAME = "its:render_dnd_exercise";

/** The place of everything that is in no zone. */
const BANK = "";

/** Which thing is in which zone. */
export type Places = Record<string, string>;

export function DndExercise(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const announce = useAnnounce();
  const [draft, setDraft] = useState<Places>({});
  const [picked, setPicked] = useState<string>();
  const [complaint, setComplaint] = useState<string>();
  const answer = given(shown);
  const places = answer === undefined ? draft : placesOf(answer);
  const isOver = answer !== undefined || (shown.phase === "live" && shown.isBusy);
  const labelOf = (id: string) => args.draggables.find((thing) => thing.id === id)?.label ?? id;

  const put = (id: string, zone: string) => {
    setPicked(undefined);
    if (!takes(args, id, zone)) {
      setComplaint(text.notTaken(labelOf(id)));
      return;
    }
    setComplaint(undefined);
    setDraft((known) => withPlace(known, id, zone));
    const label = args.drop_zones.find((one) => one.id === zone)?.label;
    announce(label === undefined ? text.returned(labelOf(id)) : text.placed(labelOf(id), label));
  };
  const pick = (id: string | undefined) => {
    setComplaint(undefined);
    setPicked(id);
    if (id !== undefined) announce(text.picked(labelOf(id)));
  };
  const { drag, handlers } = useDrag(put);

  const chip = (thing: Args<typeof NAME>["draggables"][number]) => (
    <Chip
      key={args.draggables.indexOf(thing)}
      label={thing.label}
      isPicked={picked === thing.id}
      isOver={isOver}
      drag={drag?.id === thing.id ? drag : undefined}
      handlers={handlers(thing.id)}
      onPress={() => pick(picked === thing.id ? undefined : thing.id)}
      {...(places[thing.id] !== undefined && { onTakeBack: () => put(thing.id, BANK) })}
    />
  );
  const unplaced = args.draggables.filter((thing) => places[thing.id] === undefined);
  const held = drag?.id ?? picked;
  const mapping = mappingOf(args, draft);
  const canPlace = args.draggables.length > 0 && args.drop_zones.length > 0;
  return (
    <div
      onKeyDown={(event) => {
        if (event.key === "Escape" && picked !== undefined) pick(undefined);
      }}
    >
      <Frame
        name={NAME}
        phase={shown.phase}
        headline={args.prompt_text}
        hint={answer === undefined && canPlace ? text.dndHelp : undefined}
        status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
        footer={
          shown.phase === "live" && (
            <>
              <Send
                isDisabled={isOver || (mapping.length === 0 && canPlace)}
                isSending={shown.sending !== undefined}
                onPress={() => shown.send({ exercise_id: args.exercise_id, mapping })}
              >
                {canPlace ? text.send : text.continue}
              </Send>
              <SkipButton />
            </>
          )
        }
      >
        {!canPlace && <Nothing />}
        {args.draggables.length > 0 && (answer === undefined || unplaced.length > 0) && (
          <div className="its-bank" data-drop={BANK} role="group" aria-label={text.things}>
            {unplaced.length === 0 ? <span className="its-note">{text.allPlaced}</span> : unplaced.map(chip)}
          </div>
        )}
        {complaint !== undefined && (
          <p className="its-complaint" role="alert">
            {complaint}
          </p>
        )}
        <ul className="its-zones">
          {args.drop_zones.map((zone, at) => (
            <Zone
              key={`${zone.id} ${at}`}
              id={zone.id}
              label={zone.label}
              isTarget={drag?.over === zone.id}
              isOpen={held !== undefined && takes(args, held, zone.id) && places[held] !== zone.id}
              isOver={answer !== undefined}
              {...(picked !== undefined && { picked: labelOf(picked), onPlace: () => put(picked, zone.id) })}
            >
              {args.draggables.filter((thing) => places[thing.id] === zone.id).map(chip)}
            </Zone>
          ))}
        </ul>
      </Frame>
    </div>
  );
}

/** Whether a zone takes a thing. The place of what is in no zone takes everything. */
export function takes(args: Args<typeof NAME>, id: string, zone: string): boolean {
  // Ids may be there twice; then one that fits is enough.
  const zones = args.drop_zones.filter((one) => one.id === zone);
  const groups = args.draggables.filter((thing) => thing.id === id).map((thing) => thing.group);
  return zones.length === 0 || zones.some(({ accepts_group }) => accepts_group === undefined || groups.includes(accepts_group));
}

function withPlace(places: Places, id: string, zone: string): Places {
  const { [id]: _, ...others } = places;
  return zone === BANK ? others : { ...others, [id]: zone };
}

/** The pairs, in the order in which the things were given. */
export function mappingOf(args: Args<typeof NAME>, places: Places): DndExerciseAnswer["mapping"] {
  return [...new Set(args.draggables.map((thing) => thing.id))].flatMap((id) => {
    const zone = places[id];
    return zone === undefined ? [] : [{ draggable_id: id, drop_zone_id: zone }];
  });
}

function placesOf(answer: DndExerciseAnswer): Places {
  return Object.fromEntries(answer.mapping.map((pair) => [pair.draggable_id, pair.drop_zone_id]));
}

export const tool = itsTool(NAME, DndExercise);
