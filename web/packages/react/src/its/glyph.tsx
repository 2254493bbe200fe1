/** Small pictures for components, and for the icons that agents name: a name, a file name, or one that is close to it. */

const PATHS = {
  award: "M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM8.5 13 7 21l5-3 5 3-1.5-8",
  book: "M5 4h9a4 4 0 0 1 4 4v12H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10",
  build: "M14.5 6.5a4 4 0 0 1 5-1.2L17 8l2 2 2.7-2.5a4 4 0 0 1-5.5 4.8L8.5 20a2.1 2.1 0 0 1-3-3l7.7-7.7a4 4 0 0 1 1.3-2.8z",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.1 1 1.8h5c0-.7.4-1.3 1-1.8A6 6 0 0 0 12 3z",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  chart: "M4 20h16M7 20v-6M12 20V8M17 20V4",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  code: "M8 6l-6 6 6 6M16 6l6 6-6 6",
  diagram: "M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4",
  ear: "M7 9a5 5 0 0 1 10 0c0 4-4 4.5-4 8a3 3 0 0 1-5.5 1.5M10 9a2 2 0 0 1 4 0c0 1.5-1.5 2-1.5 3.5",
  eye: "M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18",
  hand: "M8 12V5.5a1.5 1.5 0 0 1 3 0V11m0-6.5a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V14c0 4-2 7-6 7-3 0-4.5-1.5-6-4.5l-1.5-3a1.5 1.5 0 0 1 2.5-1.5L8 14",
  heart: "M12 20s-8-4.6-8-10.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.5C20 15.4 12 20 12 20z",
  map: "M12 3l8 5-3 10H7L4 8zM12 3v9M12 12l8-4M12 12l5 6M12 12l-5 6M12 12L4 8",
  music: "M9 18V5l11-2v13M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM20 16a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  pen: "M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17zM14.5 7.5l3 3",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.3-3.5 2.7-5.5 6.5-5.5s6.2 2 6.5 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .7 3.2 2.4 3.5 5",
  play: "M7 4l13 8-13 8z",
  puzzle: "M9 4a2 2 0 0 1 4 0v2h5v5h-2a2 2 0 0 0 0 4h2v5H5v-5h1.5a2 2 0 0 0 0-4H5V6h4z",
  question: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.01",
  rocket: "M12 15l-3-3c1-5 4-8.5 9.5-9 -.5 5.5-4 8.5-9 9.5M9 12l-4 .5 2.5-3.5M12 15l-.5 4 3.5-2.5M6 16c-1.5.5-2 2.5-2 4 1.5 0 3.5-.5 4-2",
  route: "M6 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.5 17.5H15a3.5 3.5 0 0 0 0-7H9a3.5 3.5 0 0 1 0-7h6.5",
  slider: "M4 8h9M17 8h3M15 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM4 16h3M11 16h9M9 18.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  star: "M12 3.5l2.6 5.6 6 .7-4.5 4.1 1.2 6L12 16.9 6.7 19.9l1.2-6L3.4 9.8l6-.7z",
  target: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 12h.01",
  terminal: "M3 5h18v14H3zM7 10l3 2.5L7 15M12.5 15H17",
  topics: "M4 5h10v4H4zM4 11h16v4H4zM4 17h7v3H4z",
  video: "M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5",
} as const;

export type GlyphName = keyof typeof PATHS;

/** Words that agents use, and the picture that they mean. */
const ALIASES: [RegExp, GlyphName][] = [
  [/certif|award|medal|trophy|diploma/, "award"],
  [/project|build|tool|wrench|hammer|construct/, "build"],
  [/concept|idea|bulb|insight|understand|brain/, "bulb"],
  [/read|book|text|article|library/, "book"],
  [/eye|visual|view|look/, "eye"],
  [/ear|audio|listen|sound|headphone/, "ear"],
  [/hand|touch|pointer|kinesthetic|practice/, "hand"],
  [/code|program|script|develop/, "code"],
  [/video|film|movie|camera/, "video"],
  [/music|song/, "music"],
  [/people|group|team|users|social|person|community/, "people"],
  [/write|pen|pencil|edit|essay/, "pen"],
  [/time|clock|hour|fast/, "clock"],
  [/calendar|date|plan|schedule/, "calendar"],
  [/goal|target|focus|aim/, "target"],
  [/rocket|launch|start|speed/, "rocket"],
  [/chart|graph|stat|progress|data/, "chart"],
  [/diagram|flow|tree/, "diagram"],
  [/game|puzzle|play/, "puzzle"],
  [/world|globe|language|travel/, "globe"],
  [/star|favou?rite/, "star"],
  [/heart|love|like/, "heart"],
  [/map|skill/, "map"],
];

/** The picture for a name that an agent gave, if there is one. */
export function glyphFor(name: string): GlyphName | undefined {
  const word = name.toLowerCase().replace(/^.*\//, "").replace(/\.(svg|png|webp|jpe?g|gif)$/, "");
  if (word in PATHS) return word as GlyphName;
  return ALIASES.find(([pattern]) => pattern.test(word))?.[1];
}

/** Draws one. It is decoration; what it means is said in words beside it. */
export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg className="its-glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
