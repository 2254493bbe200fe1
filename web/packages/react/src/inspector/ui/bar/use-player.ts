/** Playing the log: the moment moves with the clock, at the speed that somebody chose. */
import { useEffect, useMemo, useState } from "react";
import { indexAt, moments } from "../../log/player.js";
import { useInspected, useInspection } from "../../store/context.js";

export interface Player {
  isPlaying: boolean;
  speed: number;
  setSpeed: (speed: number) => void;
  toggle: () => void;
}

export function usePlayer(): Player {
  const inspection = useInspection();
  const log = useInspected((state) => state.log);
  const version = useInspected((state) => state.version);
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const times = useMemo(() => moments(version >= 0 ? log.entries : []), [log, version]);

  useEffect(() => {
    if (!isPlaying) return undefined;
    const { position } = inspection.store.getState();
    let at = times[position ?? 0] ?? 0;
    let before = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      at += (now - before) * speed;
      before = now;
      const index = indexAt(times, at);
      if (index >= times.length - 1) {
        inspection.seek(null);
        setIsPlaying(false);
        return;
      }
      if (inspection.store.getState().position !== index) inspection.hold(index);
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, times, inspection]);

  const toggle = () => {
    const { position, log } = inspection.store.getState();
    const isAtEnd = position === null || position >= log.entries.length - 1;
    if (!isPlaying && isAtEnd) inspection.hold(0);
    setIsPlaying(!isPlaying);
  };
  return { isPlaying, speed, setSpeed, toggle };
}
