// @ts-check
/**
 * Who owns what within a run, recorded as the protocol's verification does: per kind, the
 * first opener counts, a snapshot and a tool result overrule it (reference page, 3.5).
 * @typedef {import("./producer.mjs").Event} Event
 * @typedef {import("./producer.mjs").Kind | "activity"} OwnedKind
 */

/** @type {Record<string, OwnedKind>} */
const kindOfRole = { reasoning: "reasoning", activity: "activity" };

export class Ownership {
  constructor() {
    /** @type {Record<OwnedKind, Map<string, string | undefined>>} */
    this.owners = { text: new Map(), tool: new Map(), reasoning: new Map(), activity: new Map() };
  }

  /** @param {OwnedKind} kind @param {string} id */
  of(kind, id) {
    return { known: this.owners[kind].has(id), id: this.owners[kind].get(id) };
  }

  /** The ids of a kind with this owner. @param {OwnedKind} kind @param {string | undefined} owner */
  ownedBy(kind, owner) {
    return [...this.owners[kind]].filter(([, who]) => who === owner).map(([id]) => id);
  }

  /** @param {Event} event */
  record(event) {
    switch (event.type) {
      case "TEXT_MESSAGE_START":
      case "TEXT_MESSAGE_CHUNK":
        return this.claim("text", event.messageId, event.subagentRunId);
      case "REASONING_START":
      case "REASONING_MESSAGE_START":
      case "REASONING_MESSAGE_CHUNK":
        return this.claim("reasoning", event.messageId, event.subagentRunId);
      case "TOOL_CALL_START":
      case "TOOL_CALL_CHUNK":
        return this.claim("tool", event.toolCallId, event.subagentRunId ?? this.owners.text.get(event.parentMessageId));
      case "TOOL_CALL_RESULT":
        this.owners.text.set(event.messageId, event.subagentRunId);
        return;
      case "ACTIVITY_SNAPSHOT":
        if (event.replace === false) this.claim("activity", event.messageId, event.subagentRunId);
        else this.owners.activity.set(event.messageId, event.subagentRunId);
        return;
      case "MESSAGES_SNAPSHOT":
        return this.seed(event.messages, true);
      case "RUN_STARTED":
        return this.seed(event.input?.messages ?? [], false);
    }
  }

  /** The first to name an id owns it. @param {OwnedKind} kind @param {string | undefined} id @param {string | undefined} owner */
  claim(kind, id, owner) {
    if (id !== undefined && !this.owners[kind].has(id)) this.owners[kind].set(id, owner);
  }

  /** @param {any[]} messages @param {boolean} overrule */
  seed(messages, overrule) {
    for (const message of messages) {
      const kind = kindOfRole[message.role] ?? "text";
      if (overrule) this.owners[kind].set(message.id, message.subagentRunId);
      else this.claim(kind, message.id, message.subagentRunId);
      for (const call of message.toolCalls ?? []) {
        if (overrule) this.owners.tool.set(call.id, message.subagentRunId);
        else this.claim("tool", call.id, message.subagentRunId);
      }
    }
  }
}
