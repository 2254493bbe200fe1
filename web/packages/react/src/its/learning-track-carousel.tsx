/**
 * Learning tracks side by side. The row scrolls by finger, wheel, keyboard and with two buttons; tags above it leave out the
 * tracks that do not have them; one track is picked.
 */
import { useRef, useState } from "react";
import { ToggleButton } from "react-aria-components";
import { useMessages } from "../i18n/index.js";
import { Badge, Button, IconButton } from "../ui/index.js";
import { Frame } from "./frame.js";
import { Nothing } from "./nothing.js";
import { type Args, type Shown, given } from "./phase.js";
import { Picture } from "./picture.js";
import { SkipButton, itsTool } from "./tool.js";
import { useScrollEnds } from "./use-scroll-ends.js";
import { words } from "./words.js";
import "./learning-track-carousel.css";

const NAME = "its:render_learning_track_carousel";

type Track = Args<typeof NAME>["tracks"][number];

export function LearningTrackCarousel(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const row = useRef<HTMLUListElement>(null);
  const ends = useScrollEnds(row);
  const answer = given(shown)?.selected_track_id;
  const [tags, setTags] = useState<string[]>([]);
  const tracks = answer === undefined ? tracksWith(args.tracks, tags) : args.tracks;
  const turn = (direction: 1 | -1) => {
    const forward = row.current?.matches(":dir(rtl)") ? -direction : direction;
    row.current?.scrollBy({ left: forward * (row.current.clientWidth * 0.8), behavior: "smooth" });
  };
  const isLong = !ends.start || !ends.end;
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      status={
        shown.phase === "answered" ? (
          <Badge>{text.answered}</Badge>
        ) : (
          isLong && (
            <span className="its-turn">
              <IconButton icon="back" label={text.previous} size="sm" isDisabled={ends.start} onPress={() => turn(-1)} />
              <IconButton icon="chevron" label={text.next} size="sm" isDisabled={ends.end} onPress={() => turn(1)} />
            </span>
          )
        )
      }
      footer={shown.phase === "live" && <SkipButton />}
    >
      {answer === undefined && <Tags all={tagsOf(args.tracks)} chosen={tags} onChange={setTags} left={tracks.length} total={args.tracks.length} />}
      {args.tracks.length === 0 && <Nothing />}
      <ul className="its-tracks" ref={row} aria-label={text.tracks} tabIndex={isLong ? 0 : -1}>
        {tracks.map((track) => (
          <li key={args.tracks.indexOf(track)} className="its-track" data-chosen={track.track_id === answer || undefined} data-over={answer !== undefined || undefined}>
            <TrackWords track={track} at={args.tracks.indexOf(track)} />
            {answer === undefined && shown.phase === "live" && (
              <Button
                kind="primary"
                aria-label={text.chooseNamed(track.title)}
                isDisabled={shown.isBusy}
                onPress={() => shown.send({ selected_track_id: track.track_id })}
              >
                {text.chooseTrack}
              </Button>
            )}
            {track.track_id === answer && (
              <Badge tone="good" icon="check">
                {text.chosenTrack}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </Frame>
  );
}

/** Tags to filter by. Where all tracks have the same ones there is nothing to filter. */
function Tags({ all, chosen, onChange, left, total }: { all: string[]; chosen: string[]; onChange: (tags: string[]) => void; left: number; total: number }) {
  const text = useMessages(words);
  if (all.length === 0) return null;
  return (
    <div className="its-tags" role="group" aria-label={text.filterByTag}>
      <ToggleButton className="its-tag" isSelected={chosen.length === 0} onChange={() => onChange([])}>
        {text.allTags}
      </ToggleButton>
      {all.map((tag) => (
        <ToggleButton key={tag} className="its-tag" isSelected={chosen.includes(tag)} onChange={(isOn) => onChange(isOn ? [...chosen, tag] : chosen.filter((one) => one !== tag))}>
          {tag}
        </ToggleButton>
      ))}
      <span className="its-hidden" role="status">
        {chosen.length > 0 && text.tracksLeft(left, total)}
      </span>
    </div>
  );
}

/** The tags that tell tracks apart, in the order in which they come. One that every track has leaves nothing out. */
export function tagsOf(tracks: Track[]): string[] {
  const all = [...new Set(tracks.flatMap((track) => track.tags ?? []))];
  return all.filter((tag) => !tracks.every((track) => track.tags?.includes(tag)));
}

/** The tracks that have all of these tags. */
export function tracksWith(tracks: Track[], tags: string[]): Track[] {
  return tracks.filter((track) => tags.every((tag) => track.tags?.includes(tag)));
}

function TrackWords({ track, at }: { track: Track; at: number }) {
  const letters = track.title.split(/\s+/).slice(0, 2).map((word) => [...word][0]?.toLocaleUpperCase());
  return (
    <>
      <div className="its-track-picture" data-hue={at % 5}>
        <Picture url={track.image_url} fallback={<span aria-hidden="true">{letters.join("")}</span>} />
      </div>
      <h3 className="its-track-title" dir="auto">
        {track.title}
      </h3>
      <p className="its-track-about" dir="auto">
        {track.description}
      </p>
      {track.tags !== undefined && track.tags.length > 0 && (
        <p className="its-track-tags">
          {[...new Set(track.tags)].map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
    </>
  );
}

export const tool = itsTool(NAME, LearningTrackCarousel);
