// Generated from the components: UPDATE=1 cargo test -p forestage-its --test typescript

/** Shows learning tracks side by side, as a carousel or as cards; the learner picks one. */
export interface LearningTrackCarousel {
  /** The tracks to choose from. */
  tracks: Array<{
    /** What the answer calls it. */
    track_id: string;
    /** Its title. */
    title: string;
    /** What one learns, in a sentence or two. */
    description: string;
    /** The address of a picture. */
    image_url?: string;
    /** Words to find and sort it by. */
    tags?: Array<string>;
  }>;
}

/** The track that was picked. */
export interface LearningTrackCarouselAnswer {
  /** The track. */
  selected_track_id: string;
}

/** Shows a slider on which learners say how well they do something. */
export interface SkillSlider {
  /** The skill, as the answer calls it. */
  skill_id: string;
  /** The skill, as people call it. */
  skill_name: string;
  /** What to do, such as: how sure are you? */
  prompt_text: string;
  /** The left end. */
  min_value: number;
  /** The right end. */
  max_value: number;
  /** Where the slider stands at first. */
  current_value?: number;
  /** How far apart the values are that can be chosen, counted from the left end. */
  step?: number;
}

/** Where the slider was put. */
export interface SkillSliderAnswer {
  /** The skill. */
  skill_id: string;
  /** The value, between both ends and on a step. */
  selected_value: number;
}

/** Shows buttons, each for a topic or a place to go to; the learner presses one. */
export interface TopicButtons {
  /** What stands above the buttons. */
  prompt_text?: string;
  /** The buttons. */
  buttons: Array<{
    /** What the answer calls it. */
    button_id: string;
    /** What stands on it. */
    label: string;
    /** What comes back with it, as a rule the id of a topic. */
    topic_id_payload: string;
  }>;
}

/** The button that was pressed. */
export interface TopicButtonsAnswer {
  /** The button. */
  button_id_clicked: string;
  /** What that button carries. */
  topic_id_payload: string;
}

/** Shows learning goals; the learner chooses one, or several where that is allowed. */
export interface GoalSelector {
  /** What to do. */
  prompt_text: string;
  /** The goals to choose from. */
  goals: Array<{
    /** What the answer calls it. */
    goal_id: string;
    /** What one wants to reach. */
    description: string;
    /** The name or the address of a small picture. */
    icon?: string;
  }>;
  /** Whether several may be chosen. */
  allow_multiple_selection?: boolean;
}

/** The goals that were chosen. */
export interface GoalSelectorAnswer {
  /** The goals: at least one if there are any, and no more than one unless several may be chosen. */
  selected_goal_ids: Array<string>;
}

/** Shows a question about code: choose one of several answers, put blocks of code in order, or fill in blanks. */
export interface CodeAssessment {
  /** What the answer calls it. */
  assessment_id: string;
  /** What kind of question it is. */
  assessment_type: "mcq" | "dnd_code_blocks" | "fill_in_the_blanks";
  /** The question, or what to do. */
  problem_statement: string;
  /** The code it is about. It may have places for blanks. */
  code_snippet?: string;
  /** The answers to choose from; needed for `mcq`. */
  choices?: Array<{
    /** What the answer calls it. */
    id: string;
    /** What it says. */
    text: string;
  }>;
  /** What can be dragged and where it can be dropped, in whatever form the component wants; needed for `dnd_code_blocks`. */
  dnd_model?: Record<string, unknown>;
  /** The blanks; needed for `fill_in_the_blanks`. */
  blank_fields?: Array<{
    /** What the answer calls it. */
    blank_id: string;
    /** A name or a hint beside it. */
    label?: string;
    /** What is right there; any of these is. It goes to the client with the rest. */
    correct_answers?: Array<string>;
  }>;
}

/** What was answered. The kind of question says which part is there beside the id. */
export interface CodeAssessmentAnswer {
  /** The question. */
  assessment_id: string;
  /** The answer that was chosen, for `mcq`. */
  submitted_answer_id?: string;
  /** The blocks from top to bottom, for `dnd_code_blocks`. */
  dropped_items_order?: Array<string>;
  /** What was filled in, for `fill_in_the_blanks`. */
  filled_blanks?: Array<{
    /** The blank. */
    blank_id: string;
    /** The text. */
    user_input: string;
  }>;
}

/** Shows several skills and how well each is mastered; learners may change the ratings. */
export interface SkillMapper {
  /** What the answer calls this map. */
  mapper_id: string;
  /** The skills. */
  skills: Array<{
    /** What the answer calls it. */
    skill_id: string;
    /** What people call it. */
    skill_name: string;
    /** How well it is mastered, from 0 to `max_rating`; said by the learner or found out. */
    current_rating?: number;
    /** The best rating there is. */
    max_rating: number;
    /** What it is. */
    description?: string;
    /** Words to sort it by. */
    tags?: Array<string>;
  }>;
}

/** The ratings that were changed. */
export interface SkillMapperAnswer {
  /** The map. */
  mapper_id: string;
  /** The skills with new ratings; the others stay as they were. */
  updated_skills: Array<{
    /** The skill. */
    skill_id: string;
    /** Its rating, from 0 to the best there is. */
    new_rating: number;
  }>;
}

/** Lets learners choose a date, a time, or a range, for instance to plan when they learn. */
export interface TimeSelector {
  /** What the answer calls it. */
  selector_id: string;
  /** What is chosen. */
  selection_type: "date" | "time" | "datetime" | "date_range" | "time_range";
  /** What to do. */
  prompt_text: string;
  /** The earliest that can be chosen. */
  min_datetime?: string;
  /** The latest that can be chosen. */
  max_datetime?: string;
}

/** What was chosen. */
export interface TimeSelectorAnswer {
  /** The component. */
  selector_id: string;
  /** The members that belong to what was to be chosen. */
  selection: {
    /** For `date`: the day. */
    selected_date?: string;
    /** For `time`: the time of the day, such as `09:30`. */
    selected_time?: string;
    /** For `datetime`: the moment, with a time zone. */
    selected_datetime?: string;
    /** For `date_range`: the first day. */
    start_date?: string;
    /** For `date_range`: the last day. */
    end_date?: string;
    /** For `time_range`: when it begins, such as `09:30`. */
    start_time?: string;
    /** For `time_range`: when it ends. */
    end_time?: string;
  };
}

/** Shows cards, such as ways to learn; learners choose those that they prefer. */
export interface PreferenceCards {
  /** What the answer calls this set of cards. */
  preference_set_id: string;
  /** What to do. */
  prompt_text: string;
  /** The cards. */
  cards: Array<{
    /** What the answer calls it. */
    card_id: string;
    /** Its title. */
    title: string;
    /** What choosing it means. */
    description: string;
    /** The address of a picture. */
    image_url?: string;
    /** The name of a small picture. */
    icon?: string;
  }>;
  /** Whether several may be chosen. */
  allow_multiple_selection?: boolean;
}

/** The cards that were chosen. */
export interface PreferenceCardsAnswer {
  /** The set of cards. */
  preference_set_id: string;
  /** The cards. None at all is an answer, too. */
  selected_card_ids: Array<string>;
}

/** Shows an editor in which learners write, change and run code. */
export interface InteractiveCodeEditor {
  /** What the answer calls it. */
  editor_id: string;
  /** The language, for colours and for running it. */
  language: "python" | "javascript" | "java" | "html" | "css";
  /** What is in the editor at first. */
  initial_code?: string;
  /** What to do. */
  problem_description?: string;
  /** How the editor behaves. */
  config?: {
    /** Whether the code can only be looked at. */
    read_only?: boolean;
    /** Whether the code can be run. */
    show_run_button?: boolean;
    /** What the code should print. */
    expected_output?: string;
  };
}

/** The code, and what was done with it. */
export interface InteractiveCodeEditorAnswer {
  /** The editor. */
  editor_id: string;
  /** What is in the editor. */
  current_code: string;
  /** What was done. */
  action: "submit_code" | "run_code";
  /** For `run_code`: what the code printed where the client has run it. Not in the contract. */
  output?: string;
}

/** Shows a diagram: Mermaid, draw.io, or a picture. */
export interface DiagramViewer {
  /** What the answer calls it. */
  diagram_id: string;
  /** Its source, or the address of a picture. */
  diagram_data: string;
  /** What kind of source it is. */
  diagram_type: "mermaid" | "drawio_xml" | "image_url";
  /** What stands below it. */
  caption?: string;
  /** Whether one can do something with it, such as clicking on nodes. */
  interactive?: boolean;
}

/** What was done with the diagram. */
export interface DiagramViewerAnswer {
  /** The diagram; needed if it is interactive. */
  diagram_id?: string;
  /** What was done, such as `node_click` or `acknowledged`; needed if it is interactive. */
  interaction_type?: string;
  /** The node that was clicked; needed for `node_click`. */
  node_id?: string;
}

/** Shows things to drag and zones to drop them in; learners match them. */
export interface DndExercise {
  /** What the answer calls it. */
  exercise_id: string;
  /** What to do. */
  prompt_text: string;
  /** What can be dragged. */
  draggables: Array<{
    /** What the answer calls it. */
    id: string;
    /** What stands on it. */
    label: string;
    /** The group it belongs to. */
    group?: string;
  }>;
  /** Where it can be dropped. */
  drop_zones: Array<{
    /** What the answer calls it. */
    id: string;
    /** What stands on it. */
    label: string;
    /** The only group that it takes; without it, it takes everything. */
    accepts_group?: string;
  }>;
}

/** What was dropped where. */
export interface DndExerciseAnswer {
  /** The exercise. */
  exercise_id: string;
  /** Pairs, each thing at most once; a zone may hold several. */
  mapping: Array<{
    /** The thing. */
    draggable_id: string;
    /** The zone. */
    drop_zone_id: string;
  }>;
}

/** Shows how far the learner has come: a bar, a circle, or milestones. */
export interface ProgressVisualizer {
  /** What the answer calls it. */
  visualizer_id: string;
  /** How it is shown. */
  type: "bar" | "circular" | "milestones";
  /** What stands above it. */
  title?: string;
  /** How far the learner is, in percent or points. */
  current_progress?: number;
  /** How far the learner can come, such as 100 percent. */
  total_value?: number;
  /** The milestones; needed for `milestones`. */
  milestones?: Array<{
    /** What it is called. */
    name: string;
    /** Whether the learner has got there. */
    achieved: boolean;
    /** Where on the way it stands. */
    target_value?: number;
  }>;
}

/** Nothing, or that it was seen. */
export interface ProgressVisualizerAnswer {
  /** The component. */
  visualizer_id?: string;
  /** What was done, such as `acknowledged`. */
  action?: string;
}

/** Shows a question with answers to choose from, or to be called true or false. */
export interface QuickQuiz {
  /** What the answer calls it. */
  quiz_id: string;
  /** The question. */
  question_text: string;
  /** The answers to choose from. */
  options: Array<{
    /** What the answer calls it. */
    id: string;
    /** What it says. */
    text: string;
  }>;
  /** What kind of question it is. */
  quiz_type?: "single-select-mcq" | "true-false";
  /** The right answer, if the client may know it and say so at once. The server grades by it as well. */
  correct_answer_id_for_fe_feedback?: string;
}

/** What was chosen. */
export interface QuickQuizAnswer {
  /** The quiz. It may be left out, since the call says which it is. */
  quiz_id?: string;
  /** The answer that was chosen. */
  selected_option_id: string;
}

/** How an answer compares with the key that came with the arguments. */
export interface Grade {
  /** Whether all of it is right. */
  correct: boolean;
  /** How many parts are right. */
  right: number;
  /** How many parts there are. */
  total: number;
  /** The parts, where there can be several. */
  parts?: Array<{
    /** What it answers, such as a blank. */
    id: string;
    /** Whether it is right. */
    correct: boolean;
  }>;
}

/** Every component by the name of its tool. */
export interface ItsComponents {
  "its:render_learning_track_carousel": { arguments: LearningTrackCarousel; answer: LearningTrackCarouselAnswer };
  "its:render_skill_slider": { arguments: SkillSlider; answer: SkillSliderAnswer };
  "its:render_topic_buttons": { arguments: TopicButtons; answer: TopicButtonsAnswer };
  "its:render_goal_selector": { arguments: GoalSelector; answer: GoalSelectorAnswer };
  "its:render_code_assessment": { arguments: CodeAssessment; answer: CodeAssessmentAnswer };
  "its:render_skill_mapper": { arguments: SkillMapper; answer: SkillMapperAnswer };
  "its:render_time_selector": { arguments: TimeSelector; answer: TimeSelectorAnswer };
  "its:render_preference_cards": { arguments: PreferenceCards; answer: PreferenceCardsAnswer };
  "its:render_interactive_code_editor": { arguments: InteractiveCodeEditor; answer: InteractiveCodeEditorAnswer };
  "its:render_diagram_viewer": { arguments: DiagramViewer; answer: DiagramViewerAnswer };
  "its:render_dnd_exercise": { arguments: DndExercise; answer: DndExerciseAnswer };
  "its:render_progress_visualizer": { arguments: ProgressVisualizer; answer: ProgressVisualizerAnswer };
  "its:render_quick_quiz": { arguments: QuickQuiz; answer: QuickQuizAnswer };
}

/** The name of a component. */
export type ItsName = keyof ItsComponents;
