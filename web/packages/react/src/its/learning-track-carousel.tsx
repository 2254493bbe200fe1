/** Learning tracks side by side. The row scrolls by finger, wheel, keyboard and with two buttons; one track is picked. */
import { useRef } from "react";
import { useMessages } from "../i18n/index.js";
import { Badge, Button, IconButton } from "../ui/index.js";
import { Frame } from "./frame.js";
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
      <ul className="its-tracks" ref={row} aria-label={text.tracks} tabIndex={isLong ? 0 : -1}>
        {args.tracks.map((track, at) => (
          <li key={track.track_id} className="its-track" data-chosen={track.track_id === answer || undefined} data-over={answer !== undefined || undefined}>
            <TrackWords track={track} at={at} />
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

function TrackWords({ track, at }: { track: Track; at: number }) {
  const letters = track.title.split(/\s+/).slice(0, 2).map((word) => [...word][0]?.toLocaleUpperCase());
  return (
    <>
      <div className="its-track-picture" data-hue={at % 5}>
        <Picture url={track.image_url} fallback={<span aria-hidden="true">{letters.join("")}</span>} />
      </div>
      <h4 className="its-track-title" dir="auto">
        {track.title}
      </h4>
      <p className="its-track-about" dir="auto">
        {track.description}
      </p>
      {track.tags !== undefined && track.tags.length > 0 && (
        <p className="its-track-tags">
          {track.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
    </>
  );
}

export const tool = itsTool(NAME, LearningTrackCarousel);
