/** Every component, fetched when it is first shown. One that has no renderer does not compile. */
import type { ComponentType } from "react";
import type { ItsName } from "../generated/its.js";
import type { ToolSlot, ToolSlotProps } from "../slots.js";

type Renderer = { tool: ComponentType<ToolSlotProps> };

export const itsRenderers: Record<ItsName, () => Promise<Renderer>> = {
  "its:render_learning_track_carousel": () => import("./learning-track-carousel.js"),
  "its:render_skill_slider": () => import("./skill-slider.js"),
  "its:render_topic_buttons": () => import("./topic-buttons.js"),
  "its:render_goal_selector": () => import("./goal-selector.js"),
  "its:render_code_assessment": () => import("./code-assessment.js"),
  "its:render_skill_mapper": () => import("./skill-mapper.js"),
  "its:render_time_selector": () => import("./time-selector.js"),
  "its:render_preference_cards": () => import("./preference-cards.js"),
  "its:render_interactive_code_editor": () => import("./interactive-code-editor.js"),
  "its:render_diagram_viewer": () => import("./diagram-viewer.js"),
  "its:render_dnd_exercise": () => import("./dnd-exercise.js"),
  "its:render_progress_visualizer": () => import("./progress-visualizer.js"),
  "its:render_quick_quiz": () => import("./quick-quiz.js"),
};

export const itsTools: ToolSlot[] = Object.entries(itsRenderers).map(([tool, load]) => ({
  tool,
  load: () => load().then((module) => module.tool),
}));
