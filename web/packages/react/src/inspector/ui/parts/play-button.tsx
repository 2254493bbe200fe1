/** Play and pause, as every player has them. */
import { Button } from "react-aria-components";

export interface PlayButtonProps {
  isPlaying: boolean;
  label: string;
  onPress: () => void;
  kind?: "plain" | "quiet";
}

export function PlayButton({ isPlaying, label, onPress, kind = "plain" }: PlayButtonProps) {
  return (
    <Button className="fs-button fs-icon-button" data-kind={kind} data-size="sm" aria-label={label} onPress={onPress}>
      <svg className="fs-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d={isPlaying ? "M8 5v14M16 5v14" : "M8 5l11 7-11 7z"} fill={isPlaying ? "none" : "currentColor"} />
      </svg>
    </Button>
  );
}
