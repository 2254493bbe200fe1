/** Arguments with every member that there is, of which no two look alike, and answers that are not the first one. */
import type { ItsName } from "../../generated/its.js";
import type { Answer, Args } from "../phase.js";

export const PICTURE = "data:image/png;base64,iVBORw0KGgo=";
export const OTHER_PICTURE = "data:image/png;base64,AAAA";

export interface Case<N extends ItsName = ItsName> {
  /** What it is, as the name of a file. */
  about: string;
  name: N;
  args: Args<N>;
  answer: Answer<N>;
}

function one<N extends ItsName>(name: N, about: string, args: Args<N>, answer: Answer<N>): Case {
  return { about: `${name.replace("its:render_", "")}-${about}`, name, args, answer } as unknown as Case;
}

const tracks = [
  { track_id: "t1", title: "First steps", description: "How it begins." },
  { track_id: "t2", title: "Second wind", description: "How it goes on.", image_url: PICTURE, tags: ["math", "hard"] },
  { track_id: "t3", title: "Third time lucky", description: "How it ends.", image_url: "https://elsewhere.example/c.png", tags: ["math", "easy"] },
];

const goals = [
  { goal_id: "g1", description: "Pass the exam", icon: "certificate.svg" },
  { goal_id: "g2", description: "Make a thing", icon: PICTURE },
  { goal_id: "g3", description: "Understand it" },
];

const blocks = { blocks: [{ id: "b1", code: "one()" }, { id: "b2", code: "  two()" }, { id: "b3", code: "three()" }], correct_order: ["b3", "b1", "b2"] };

const blanks = [
  { blank_id: "k1", label: "the keyword", correct_answers: ["let", "const"] },
  { blank_id: "k2", correct_answers: ["42"] },
  { blank_id: "k3", label: "whatever" },
];

const cards = [
  { card_id: "c1", title: "By eye", description: "Pictures.", image_url: PICTURE, icon: "ear" },
  { card_id: "c2", title: "By ear", description: "Sounds.", icon: "ear" },
  { card_id: "c3", title: "By heart", description: "Again and again." },
];

const bounds = { min_datetime: "2024-09-03T09:15:00Z", max_datetime: "2024-09-12T17:30:00Z" };

const milestones = [
  { name: "Begun", achieved: true, target_value: 12.5 },
  { name: "Half way", achieved: false, target_value: 50 },
  { name: "Skipped ahead", achieved: true },
  { name: "Done", achieved: false, target_value: 100 },
];

const exercise = {
  exercise_id: "x1",
  prompt_text: "Sort them.",
  draggables: [
    { id: "d1", label: "Apple", group: "fruit" },
    { id: "d2", label: "Carrot", group: "root" },
    { id: "d3", label: "Stone" },
  ],
  drop_zones: [
    { id: "z1", label: "Roots", accepts_group: "root" },
    { id: "z2", label: "Fruits", accepts_group: "fruit" },
    { id: "z3", label: "Anything" },
  ],
};

const quiz = {
  quiz_id: "q1",
  question_text: "Which is **even**?",
  options: [
    { id: "o1", text: "One" },
    { id: "o2", text: "Two" },
    { id: "o3", text: "Three" },
  ],
};

export const cases: Case[] = [
  one("its:render_learning_track_carousel", "three", { tracks }, { selected_track_id: "t2" }),
  one("its:render_skill_slider", "all", { skill_id: "s1", skill_name: "Loops", prompt_text: "How sure are you?", min_value: -4, max_value: 11, current_value: 2, step: 3 }, { skill_id: "s1", selected_value: 8 }),
  one("its:render_skill_slider", "least", { skill_id: "s2", skill_name: "Arrays", prompt_text: "And now?", min_value: 1, max_value: 7 }, { skill_id: "s2", selected_value: 7 }),
  one(
    "its:render_topic_buttons",
    "three",
    {
      prompt_text: "Where to?",
      buttons: [
        { button_id: "b1", label: "Loops", topic_id_payload: "topic_loops" },
        { button_id: "b2", label: "Names", topic_id_payload: "topic_names" },
        { button_id: "b3", label: "Types", topic_id_payload: "topic_types" },
      ],
    },
    { button_id_clicked: "b3", topic_id_payload: "topic_types" },
  ),
  one("its:render_goal_selector", "several", { prompt_text: "What for?", goals, allow_multiple_selection: true }, { selected_goal_ids: ["g3", "g1"] }),
  one("its:render_goal_selector", "one", { prompt_text: "Which one?", goals }, { selected_goal_ids: ["g2"] }),
  one(
    "its:render_code_assessment",
    "choice",
    { assessment_id: "a1", assessment_type: "mcq", problem_statement: "What is it?", code_snippet: "1 + 1", choices: [{ id: "h1", text: "1" }, { id: "h2", text: "11" }, { id: "h3", text: "2" }] },
    { assessment_id: "a1", submitted_answer_id: "h3" },
  ),
  one("its:render_code_assessment", "blocks", { assessment_id: "a2", assessment_type: "dnd_code_blocks", problem_statement: "In order, please.", code_snippet: "begin()", dnd_model: blocks }, { assessment_id: "a2", dropped_items_order: ["b3", "b2", "b1"] }),
  one(
    "its:render_code_assessment",
    "blanks",
    { assessment_id: "a3", assessment_type: "fill_in_the_blanks", problem_statement: "Fill in.", code_snippet: "{{k1}} x = ___k2___; // [k1]", blank_fields: blanks },
    { assessment_id: "a3", filled_blanks: [{ blank_id: "k1", user_input: "const" }, { blank_id: "k2", user_input: "41" }, { blank_id: "k3", user_input: "so" }] },
  ),
  one(
    "its:render_skill_mapper",
    "three",
    {
      mapper_id: "m1",
      skills: [
        { skill_id: "k1", skill_name: "Reading", current_rating: 2, max_rating: 3, description: "What others wrote.", tags: ["quiet", "words"] },
        { skill_id: "k2", skill_name: "Writing", current_rating: 5, max_rating: 7 },
        { skill_id: "k3", skill_name: "Arithmetic", max_rating: 12, description: "Sums." },
      ],
    },
    { mapper_id: "m1", updated_skills: [{ skill_id: "k3", new_rating: 9 }, { skill_id: "k1", new_rating: 0 }] },
  ),
  one("its:render_time_selector", "date", { selector_id: "w1", selection_type: "date", prompt_text: "Which day?", ...bounds }, { selector_id: "w1", selection: { selected_date: "2024-09-05" } }),
  one("its:render_time_selector", "time", { selector_id: "w2", selection_type: "time", prompt_text: "What time?", ...bounds }, { selector_id: "w2", selection: { selected_time: "10:45" } }),
  one("its:render_time_selector", "datetime", { selector_id: "w3", selection_type: "datetime", prompt_text: "When?", ...bounds }, { selector_id: "w3", selection: { selected_datetime: "2024-09-04T13:20:00Z" } }),
  one("its:render_time_selector", "date_range", { selector_id: "w4", selection_type: "date_range", prompt_text: "From when to when?", ...bounds }, { selector_id: "w4", selection: { start_date: "2024-09-04", end_date: "2024-09-09" } }),
  one("its:render_time_selector", "time_range", { selector_id: "w5", selection_type: "time_range", prompt_text: "From what time on?", ...bounds }, { selector_id: "w5", selection: { start_time: "09:30", end_time: "16:05" } }),
  one("its:render_preference_cards", "several", { preference_set_id: "p1", prompt_text: "How?", cards }, { preference_set_id: "p1", selected_card_ids: ["c3", "c2"] }),
  one("its:render_preference_cards", "one", { preference_set_id: "p2", prompt_text: "Which way?", cards, allow_multiple_selection: false }, { preference_set_id: "p2", selected_card_ids: ["c2"] }),
  one(
    "its:render_interactive_code_editor",
    "all",
    { editor_id: "e1", language: "javascript", initial_code: "let a = 1;\nlet b = 2;", problem_description: "Add them.", config: { read_only: false, show_run_button: true, expected_output: "3" } },
    { editor_id: "e1", current_code: "3", action: "submit_code" },
  ),
  one("its:render_interactive_code_editor", "to_read", { editor_id: "e2", language: "css", initial_code: "a {}", config: { read_only: true, show_run_button: false, expected_output: "no" } }, { editor_id: "e2", current_code: "a {}", action: "submit_code" }),
  one("its:render_interactive_code_editor", "least", { editor_id: "e3", language: "java" }, { editor_id: "e3", current_code: "class A {}", action: "submit_code" }),
  one("its:render_interactive_code_editor", "python", { editor_id: "e4", language: "python", initial_code: "input()", problem_description: "Ask.", config: { show_run_button: true } }, { editor_id: "e4", current_code: "print(1)", action: "run_code", output: "1\n" }),
  one("its:render_interactive_code_editor", "html", { editor_id: "e5", language: "html", initial_code: "<p>", config: { read_only: true } }, { editor_id: "e5", current_code: "<p>", action: "submit_code" }),
  one("its:render_diagram_viewer", "picture", { diagram_id: "v1", diagram_type: "image_url", diagram_data: OTHER_PICTURE, caption: "A dot" }, { diagram_id: "v1", interaction_type: "acknowledged" }),
  one("its:render_diagram_viewer", "elsewhere", { diagram_id: "v2", diagram_type: "image_url", diagram_data: "https://elsewhere.example/d.png", interactive: true }, {}),
  one("its:render_dnd_exercise", "groups", exercise, { exercise_id: "x1", mapping: [{ draggable_id: "d2", drop_zone_id: "z1" }, { draggable_id: "d1", drop_zone_id: "z3" }] }),
  one("its:render_progress_visualizer", "milestones", { visualizer_id: "y1", type: "milestones", title: "The way", current_progress: 3, total_value: 9, milestones }, {}),
  one("its:render_progress_visualizer", "bar", { visualizer_id: "y2", type: "bar", title: "The bar", current_progress: 12.5, total_value: 50, milestones }, { visualizer_id: "y2", action: "acknowledged" }),
  one("its:render_progress_visualizer", "circular", { visualizer_id: "y3", type: "circular", current_progress: 30 }, {}),
  one("its:render_quick_quiz", "wrong", { ...quiz, quiz_type: "single-select-mcq", correct_answer_id_for_fe_feedback: "o2" }, { quiz_id: "q1", selected_option_id: "o3" }),
  one("its:render_quick_quiz", "right", { ...quiz, correct_answer_id_for_fe_feedback: "o3" }, { quiz_id: "q1", selected_option_id: "o3" }),
  one("its:render_quick_quiz", "true_false", { quiz_id: "q2", question_text: "Is it?", quiz_type: "true-false", options: [{ id: "yes", text: "It is" }, { id: "no", text: "It is not" }] }, { selected_option_id: "no" }),
];
