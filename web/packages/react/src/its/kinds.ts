/** What each component is called, which of its arguments is its headline, and what shape it will have. */
import type { ItsComponents, ItsName } from "../generated/its.js";
import type { GlyphName } from "./glyph.js";

/** The rough shape of what is coming, for the skeleton. */
export type Shape = "cards" | "rows" | "pills" | "line" | "block";

export interface Kind<N extends ItsName> {
  en: string;
  nl: string;
  glyph: GlyphName;
  /** The argument that says what to do. */
  headline: keyof ItsComponents[N]["arguments"] | undefined;
  shape: Shape;
}

export const kinds: { [N in ItsName]: Kind<N> } = {
  "its:render_learning_track_carousel": { en: "Learning tracks", nl: "Leertrajecten", glyph: "route", headline: undefined, shape: "cards" },
  "its:render_skill_slider": { en: "Self-assessment", nl: "Zelfbeoordeling", glyph: "slider", headline: "prompt_text", shape: "line" },
  "its:render_topic_buttons": { en: "Topics", nl: "Onderwerpen", glyph: "topics", headline: "prompt_text", shape: "pills" },
  "its:render_goal_selector": { en: "Goals", nl: "Doelen", glyph: "target", headline: "prompt_text", shape: "rows" },
  "its:render_code_assessment": { en: "Code question", nl: "Codevraag", glyph: "code", headline: "problem_statement", shape: "rows" },
  "its:render_skill_mapper": { en: "Skill map", nl: "Vaardigheden", glyph: "map", headline: undefined, shape: "rows" },
  "its:render_time_selector": { en: "Planning", nl: "Planning", glyph: "calendar", headline: "prompt_text", shape: "block" },
  "its:render_preference_cards": { en: "Preferences", nl: "Voorkeuren", glyph: "heart", headline: "prompt_text", shape: "cards" },
  "its:render_interactive_code_editor": { en: "Code editor", nl: "Code-editor", glyph: "terminal", headline: "problem_description", shape: "block" },
  "its:render_diagram_viewer": { en: "Diagram", nl: "Diagram", glyph: "diagram", headline: undefined, shape: "block" },
  "its:render_dnd_exercise": { en: "Exercise", nl: "Oefening", glyph: "puzzle", headline: "prompt_text", shape: "pills" },
  "its:render_progress_visualizer": { en: "Progress", nl: "Voortgang", glyph: "chart", headline: "title", shape: "line" },
  "its:render_quick_quiz": { en: "Quiz", nl: "Quiz", glyph: "question", headline: "question_text", shape: "rows" },
};
