/** The event timeline: what happened, in order, as it happens. */
import { useInspected } from "../../store/context.js";
import { Split } from "../parts/split.js";
import { Detail } from "./detail.js";
import { FilterBar } from "./filter-bar.js";
import { EventList } from "./list.js";
import { useLines } from "./use-rows.js";
import "./timeline.css";

export function Timeline() {
  const { lines, pinned, toggle } = useLines();
  const selected = useInspected((state) => state.selected);
  const { entries } = useInspected((state) => state.log);
  const entry = selected === null ? undefined : entries[selected];
  return (
    <>
      <FilterBar shown={lines.length - (pinned === null ? 0 : 1)} />
      <Split first={<EventList lines={lines} pinned={pinned} toggle={toggle} />} second={entry === undefined ? null : <Detail entry={entry} />} />
    </>
  );
}
