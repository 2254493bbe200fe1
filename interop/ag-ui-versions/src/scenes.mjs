// @ts-check
/**
 * What is done with every version: each agent of the demo, two turns or more, and what people do besides talking. A scene
 * says who is visited and what they do; what is compared is what all of them see in the end.
 *
 * @typedef {import("./visitor.mjs").Visitor} Visitor
 * @typedef {{ agent: string, play: (visitor: Visitor) => Promise<Visitor | void> }} Scene A scene may end with another visitor.
 */

/** Says these things one after another. @param {string[]} words */
const talk = (...words) => async (/** @type {Visitor} */ visitor) => {
  for (const [at, text] of words.entries()) await visitor.say(`r${at + 1}`, text);
};

const isText = (/** @type {any} */ { type }) => type === "TEXT_MESSAGE_CONTENT";
const picture = { type: "image", source: { type: "url", value: "https://example.org/cat.png", mimeType: "image/png" } };
const story = Array.from({ length: 40 }, (_, at) => `word${at}`).join(" ");

/** @type {Record<string, Scene>} */
export const scenes = {
  hello: { agent: "hello", play: talk("hello there", "my name is Ada") },
  tour: { agent: "tour", play: talk("Bern", "Basel") },
  coach: { agent: "coach", play: talk("Good morning", "Good evening") },
  desk: { agent: "desk", play: talk("Which rules are there?", "And about noise?", "Thank you") },
  regulation: { agent: "regulation", play: talk("What may I build?", "And how high?") },
  surfaces: { agent: "surfaces", play: talk("a form, please", "update it", "and a table") },
  error: { agent: "error", play: talk("please fail", "let a subagent fail", "break a rule") },

  "an agent that is not there": { agent: "nobody", play: talk("hello there") },

  approval: {
    agent: "approval",
    async play(visitor) {
      await visitor.say("r1", "write a mail");
      await visitor.answer("r2", { approved: true });
      await visitor.say("r3", "something else");
    },
  },
  form: {
    agent: "form",
    async play(visitor) {
      await visitor.say("r1", "book a table");
      await visitor.answer("r2", { day: "Friday", people: 2 });
      await visitor.answer("r3", "by the window");
      await visitor.say("r4", "thank you");
    },
  },
  agora: {
    agent: "agora",
    async play(visitor) {
      await visitor.say("r1", "Search the regulations");
      await visitor.say("r2", "Generate the report");
      await visitor.answer("r3", { approved: true });
    },
  },
  refunds: {
    agent: "refunds",
    async play(visitor) {
      await visitor.say("r1", "refund 20");
      await visitor.say("r2", "refund 200");
      await visitor.answer("r3", { approved: false, reason: "too late" });
    },
  },
  "client-tool": {
    agent: "client-tool",
    async play(visitor) {
      await visitor.say("r1", "Where am I?");
      await visitor.answerTool("r2", { city: "Bern", colour: "teal" });
      await visitor.answerTool("r3", "changed");
      await visitor.say("r4", "And again?");
    },
  },
  tutor: {
    agent: "tutor",
    async play(visitor) {
      await visitor.say("r1", "Teach me something");
      await visitor.answerTool("r2", { selected_track_id: "track_01" });
      await visitor.answerTool("r3", { skill_id: "skill_js_arrays", selected_value: 7 });
    },
  },
  stop: {
    agent: "long",
    async play(visitor) {
      for (const runId of ["r1", "r2"]) {
        let stopped;
        await visitor.say(runId, "count for me", (event) => {
          if (isText(event)) stopped ??= visitor.stop(runId);
        });
        await stopped;
      }
    },
  },
  "rejoin by asking again": {
    agent: "hello",
    async play(visitor) {
      let count = 0;
      await visitor.say("r1", story, (event) => {
        if (isText(event) && ++count === 5) visitor.agent.abortRun();
      });
      const back = visitor.again();
      await back.say("r1", story);
      await back.say("r2", "my name is Ada");
      return back;
    },
  },
  "rejoin while it runs": {
    agent: "tour",
    async play(visitor) {
      const other = visitor.again();
      /** @type {Promise<any> | undefined} */
      let following;
      await visitor.say("r1", "Bern", (event) => {
        if (isText(event)) following ??= other.follow();
      });
      await following;
      await other.say("r2", "Basel");
      return other;
    },
  },
  "rejoin and answer": {
    agent: "approval",
    async play(visitor) {
      await visitor.say("r1", "write a mail");
      const back = visitor.again();
      await back.follow();
      await back.answer("r2", { approved: true });
      return back;
    },
  },
  "over a socket": {
    agent: "tour",
    async play(visitor) {
      visitor.useSocket();
      await talk("Bern", "Basel")(visitor);
    },
  },
  "a thread of a newer client": {
    agent: "hello",
    async play(visitor) {
      await visitor.hearNewer("r1", [{ type: "text", text: "my name is Ada" }, picture]);
      await visitor.follow();
      await visitor.say("r2", "my name is Bob");
    },
  },
};
