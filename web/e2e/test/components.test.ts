/** Each of the thirteen components, answered by mouse and by keyboard alone. */
import { expect, test } from "vitest";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";

const here = scene();

interface Way {
  slug: string;
  example?: string;
  mouse: (exhibit: Exhibit) => Promise<void>;
  keys: (exhibit: Exhibit) => Promise<void>;
  answer: unknown;
}

const send = (exhibit: Exhibit) => exhibit.button(/^Send/).click();

const ways: Way[] = [
  {
    slug: "learning-track-carousel",
    mouse: (it) => it.button("Choose Calculus for the brave").click(),
    keys: async (it) => {
      await it.tabTo(/^Choose Calculus/);
      await it.press("Enter");
    },
    answer: { selected_track_id: "track_02" },
  },
  {
    slug: "skill-slider",
    mouse: async (it) => {
      await it.drag(it.stage.locator(".its-slider-thumb"), it.stage.locator(".its-slider-mark").nth(7));
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^JavaScript arrays/);
      await it.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
      await it.tabTo(/^Send 7$/);
      await it.press("Enter");
    },
    answer: { skill_id: "skill_js_arrays", selected_value: 7 },
  },
  {
    slug: "topic-buttons",
    mouse: (it) => it.button("Loops").click(),
    keys: async (it) => {
      await it.tabTo(/^Loops/);
      await it.press("Enter");
    },
    answer: { button_id_clicked: "btn_loops", topic_id_payload: "topic_loops_101" },
  },
  {
    slug: "goal-selector",
    mouse: async (it) => {
      await it.stage.getByText("Understand one thing well").click();
      await it.stage.getByText("Get ready for the certificate").click();
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/certificate/);
      await it.press("Space");
      await it.tabTo(/Understand/);
      await it.press("Space");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { selected_goal_ids: ["goal_certification_prep", "goal_concept_understanding"] },
  },
  {
    slug: "code-assessment",
    mouse: async (it) => {
      await it.stage.getByText('"object"').click();
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/"array"/);
      await it.press("ArrowDown");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { assessment_id: "code_assess_mcq_01", submitted_answer_id: "choice_object" },
  },
  {
    slug: "code-assessment",
    example: "blocks in order, graded",
    mouse: async (it) => {
      await it.drag(it.stage.locator(".its-block-grip").nth(2), it.stage.locator(".its-block").nth(0));
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^for n in numbers/);
      await it.press("Alt+ArrowUp", "Alt+ArrowUp");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { assessment_id: "code_assess_dnd_01", dropped_items_order: ["block_3", "block_1", "block_2"] },
  },
  {
    slug: "code-assessment",
    example: "blanks, graded one by one",
    mouse: async (it) => {
      await it.stage.getByLabel("what it is").fill("variable");
      await it.stage.getByLabel("the keyword").fill("let");
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^what it is/);
      await it.page.keyboard.type("variable");
      await it.tabTo(/^the keyword/);
      await it.page.keyboard.type("let");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: {
      assessment_id: "code_assess_fill_01",
      filled_blanks: [
        { blank_id: "blank_1", user_input: "variable" },
        { blank_id: "blank_2", user_input: "let" },
      ],
    },
  },
  {
    slug: "skill-mapper",
    mouse: async (it) => {
      const track = it.stage.locator(".its-skill-track").nth(1);
      const { width = 0, height = 0 } = (await track.boundingBox()) ?? {};
      await track.click({ position: { x: width * 0.6, y: height / 2 } });
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^Flexbox/);
      await it.press("ArrowRight");
      await it.tabTo(/^Send 1 change/);
      await it.press("Enter");
    },
    answer: { mapper_id: "skillmap_frontend_basics", updated_skills: [{ skill_id: "css_flexbox", new_rating: 3 }] },
  },
  {
    slug: "time-selector",
    mouse: async (it) => {
      await it.button(/\b2 September 2024/).click();
      await it.button(/\b4 September 2024/).click();
      await send(it);
    },
    // The calendar opens on the first day that can be chosen, and goes on by a day once the first is.
    keys: async (it) => {
      await it.tabTo(/\b1 September 2024/);
      await it.press("ArrowRight", "Enter", "ArrowRight", "Enter");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { selector_id: "availability_selector_01", selection: { start_date: "2024-09-02", end_date: "2024-09-04" } },
  },
  {
    slug: "time-selector",
    example: "from one time to another",
    mouse: async (it) => {
      for (const [field, hour, minute] of [["From", "09", "00"], ["To", "11", "30"]] as const) {
        await it.stage.getByRole("spinbutton", { name: new RegExp(`hour.*${field}`) }).click();
        await it.page.keyboard.type(`${hour}${minute}`);
      }
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^hour/);
      await it.page.keyboard.type("0900");
      await it.tabTo(/^hour/);
      await it.page.keyboard.type("1130");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { selector_id: "selector_time_range", selection: { start_time: "09:00", end_time: "11:30" } },
  },
  {
    slug: "preference-cards",
    mouse: async (it) => {
      await it.stage.getByText("By eye").click();
      await it.stage.getByText("By hand").click();
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^By eye/);
      await it.press("Space");
      await it.tabTo(/^By hand/);
      await it.press("Space");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { preference_set_id: "learning_style_prefs", selected_card_ids: ["style_visual", "style_kinesthetic"] },
  },
  {
    slug: "interactive-code-editor",
    mouse: async (it) => {
      await it.stage.locator(".cm-content").click();
      await it.press("Control+a");
      await it.page.keyboard.insertText('print("hi")');
      await it.button("Submit").click();
    },
    keys: async (it) => {
      await it.tabTo(/^Code$/);
      await it.press("Control+a");
      await it.page.keyboard.insertText('print("hi")');
      // Tab indents; after Escape it leaves.
      await it.press("Escape");
      await it.tabTo(/^Submit$/);
      await it.press("Enter");
    },
    answer: { editor_id: "code_editor_python_01", current_code: 'print("hi")', action: "submit_code" },
  },
  {
    slug: "diagram-viewer",
    mouse: async (it) => {
      await it.stage.locator("svg .node").first().waitFor();
      await it.button("Continue").click();
    },
    keys: async (it) => {
      await it.tabTo(/^Continue$/);
      await it.press("Enter");
    },
    answer: { diagram_id: "concept_map_photosynthesis_01", interaction_type: "acknowledged" },
  },
  {
    slug: "diagram-viewer",
    example: "to click on",
    mouse: async (it) => {
      await it.button("Calvin cycle").click();
      await send(it);
    },
    keys: async (it) => {
      await it.button("Calvin cycle").waitFor();
      await it.tabTo(/^Calvin cycle$/);
      await it.press("Enter");
      await it.tabTo(/^Send answer: Calvin cycle/);
      await it.press("Enter");
    },
    answer: { diagram_id: "concept_map_photosynthesis_02", interaction_type: "node_click", node_id: "E" },
  },
  {
    slug: "dnd-exercise",
    mouse: async (it) => {
      await it.drag(it.button(/^Variable/), it.stage.locator(".its-zone").nth(0));
      await it.drag(it.button(/^Function/), it.stage.locator(".its-zone").nth(1));
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^Variable/);
      await it.press("Enter");
      await it.tabTo(/^Place Variable in Keeps a value/);
      await it.press("Enter");
      await it.begin();
      await it.tabTo(/^Function/);
      await it.press("Enter");
      await it.tabTo(/^Place Function in Does a piece/);
      await it.press("Enter");
      await it.begin();
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: {
      exercise_id: "dnd_match_terms_01",
      mapping: [
        { draggable_id: "term_variable", drop_zone_id: "def_storage" },
        { draggable_id: "term_function", drop_zone_id: "def_block" },
      ],
    },
  },
  {
    slug: "progress-visualizer",
    mouse: (it) => it.button("Continue").click(),
    keys: async (it) => {
      await it.tabTo(/^Continue$/);
      await it.press("Enter");
    },
    answer: { visualizer_id: "module1_progress", action: "acknowledged" },
  },
  {
    slug: "quick-quiz",
    mouse: async (it) => {
      await it.stage.getByText("Paris").click();
      await send(it);
    },
    keys: async (it) => {
      await it.tabTo(/^Paris/);
      await it.press("Space");
      await it.tabTo(/^Send answer/);
      await it.press("Enter");
    },
    answer: { quiz_id: "quiz_capital_france_001", selected_option_id: "option_paris" },
  },
];

const named = ways.map((way) => ({ ...way, name: way.example === undefined ? way.slug : `${way.slug} (${way.example})` }));

test.each(named.map((component) => [component.name, component] as const))("%s is answered by mouse, and by keyboard alone", async (_, { slug, example, mouse, keys, answer }) => {
  const exhibit = await Exhibit.at(here, slug, example);
  await mouse(exhibit);
  expect(await exhibit.answer()).toEqual(answer);
  await exhibit.stage.locator("[data-phase=answered]").waitFor();
  await exhibit.anew(slug, example);
  await exhibit.stage.locator("[data-phase=live]").waitFor();
  await exhibit.begin();
  await keys(exhibit);
  expect(await exhibit.answer()).toEqual(answer);
});

test("every component has a way here", async () => {
  const { page } = await Exhibit.at(here, "quick-quiz");
  const hrefs = await page.locator(".gallery-nav ul").first().getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(new Set(hrefs)).toEqual(new Set(ways.map(({ slug }) => `/gallery/${slug}`)));
  expect(hrefs).toHaveLength(13);
});
