/** Icons, drawn here so that no font or request is needed: 24 by 24, strokes of the text's colour. */
import "./icon.css";

const PATHS = {
  add: "M12 5v14M5 12h14",
  archive: "M4 7h16v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM3 4h18v3H3zM10 11h4",
  attach: "m20 11-8.6 8.6a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9 17.3a1.7 1.7 0 0 1-2.4-2.4L14.5 7",
  back: "M15 5l-7 7 7 7",
  branch: "M6 3v12M18 9a9 9 0 0 1-9 9M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  chevron: "M9 5l7 7-7 7",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  close: "M6 6l12 12M18 6L6 18",
  code: "M8 6l-6 6 6 6M16 6l6 6-6 6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17zM14.5 7.5l3 3",
  error: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5v5.5M12 16.5v.01",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  gear: "M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM19.4 13.6a7.6 7.6 0 0 0 0-3.2l2-1.5-2-3.4-2.4.9a7.7 7.7 0 0 0-2.7-1.6L13.9 2.3h-3.9l-.4 2.5a7.7 7.7 0 0 0-2.7 1.6l-2.4-.9-2 3.4 2 1.5a7.6 7.6 0 0 0 0 3.2l-2 1.5 2 3.4 2.4-.9a7.7 7.7 0 0 0 2.7 1.6l.4 2.5h3.9l.4-2.5a7.7 7.7 0 0 0 2.7-1.6l2.4.9 2-3.4z",
  inbox: "M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5",
  inspect: "M3 12h4l3 7 4-14 3 7h4",
  language: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18",
  like: "M7 11v9H4v-9zM7 11l4-8a2 2 0 0 1 2 2v4h6l-1.5 9.5a2 2 0 0 1-2 1.5H7",
  dislike: "M17 13V4h3v9zM17 13l-4 8a2 2 0 0 1-2-2v-4H5l1.5-9.5a2 2 0 0 1 2-1.5H17",
  link: "M10 14a4 4 0 0 0 6 .500l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.500l-3 3a4 4 0 0 0 5.7 5.7L12 17",
  menu: "M4 7h16M4 12h16M4 17h16",
  microphone: "M12 15a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zM6 12a6 6 0 0 0 12 0M12 18v3M9 21h6",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  pause: "M8 5v14M16 5v14",
  queue: "M4 6h16M4 12h10M4 18h7M17 14v7M13.5 17.5h7",
  quote: "M9 7H5v6h4zM9 13c0 3-1 4-3 5M19 7h-4v6h4zM19 13c0 3-1 4-3 5",
  redo: "M20 5v5h-5M20 10a8 8 0 1 0 .500 5",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21",
  send: "M12 19V5M6 11l6-6 6 6",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z",
  speak: "M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  stop: "M7 7h10v10H7z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  think: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.600.5 1 1.1 1 1.8h5c0-.700.4-1.3 1-1.8A6 6 0 0 0 12 3z",
  tool: "M14.5 6.5a4 4 0 0 1 5-1.2L17 8l2 2 2.7-2.5a4 4 0 0 1-5.5 4.8L8.5 20a2.1 2.1 0 0 1-3-3l7.7-7.7a4 4 0 0 1 1.3-2.8z",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.500-4 3.5-6 8-6s7.5 2 8 6",
  warning: "M12 4L2.5 20h19zM12 10v4.5M12 17.5v.01",
} as const;

export type IconName = keyof typeof PATHS;

/** Whether there is an icon of this name. */
export const isIconName = (name: string): name is IconName => Object.hasOwn(PATHS, name);

export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`fs-icon ${className}`} data-icon={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
