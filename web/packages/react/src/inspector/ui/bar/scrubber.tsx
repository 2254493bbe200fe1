/** Through time: every pane shows the moment that is chosen here. */
import { useMessages } from "../../../i18n/index.js";
import { Button, IconButton, Select } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { SPEEDS } from "../../log/player.js";
import { relative } from "../../log/time.js";
import { useInspected, useInspection, useMoment } from "../../store/context.js";
import { PlayButton } from "../parts/play-button.js";
import { TypeBadge } from "../parts/type-badge.js";
import { Minimap } from "./minimap.js";
import { usePlayer } from "./use-player.js";
import "./scrubber.css";

const SPEED_OPTIONS = SPEEDS.map((speed) => ({ value: String(speed), label: `${speed}×` }));

export function Scrubber() {
  const t = useMessages(words);
  const inspection = useInspection();
  const { entries } = useInspected((state) => state.log);
  const count = useInspected(({ log, version }) => (version >= 0 ? log.entries.length : 0));
  const position = useInspected((state) => state.position);
  const source = useInspected((state) => state.source);
  const moment = useMoment();
  const player = usePlayer();
  if (count === 0) return null;
  const entry = entries[moment];
  const label = entry === undefined ? t.before : `${t.eventOf(moment + 1, count)}, ${entry.event.type}, ${relative(entry.since)}`;
  return (
    <div className="fi-scrubber" role="group" aria-label={t.moment}>
      <div className="fi-scrubber-track">
        <Minimap />
        <input
          type="range"
          className="fi-range"
          min={0}
          max={count - 1}
          value={Math.max(moment, 0)}
          aria-label={t.moment}
          aria-valuetext={label}
          onChange={({ target }) => inspection.seek(Number(target.value))}
        />
      </div>
      <div className="fi-scrubber-line">
        <IconButton icon="back" className="fi-mirror" size="sm" label={t.previous} isDisabled={moment <= 0} onPress={() => inspection.seek(moment - 1)} />
        <PlayButton isPlaying={player.isPlaying} label={player.isPlaying ? t.stopPlaying : t.play} onPress={player.toggle} />
        <IconButton icon="chevron" className="fi-mirror fi-next" size="sm" label={t.next} isDisabled={position === null} onPress={() => inspection.seek(moment + 1)} />
        <span className="fi-scrubber-text" dir="ltr">
          {moment + 1}/{count}
          <span className="fi-quiet"> {entry === undefined ? "" : relative(entry.since)}</span>
        </span>
        <span className="fi-scrubber-type">{entry !== undefined && <TypeBadge type={entry.event.type} />}</span>
        <span className="fi-spring" />
        <Select size="sm" aria-label={t.speed} value={String(player.speed)} options={SPEED_OPTIONS} onChange={(speed) => player.setSpeed(Number(speed))} />
        {position !== null && (
          <Button size="sm" kind="primary" onPress={() => inspection.seek(null)}>
            {source.kind === "thread" ? t.followLive : t.last}
          </Button>
        )}
      </div>
    </div>
  );
}
