/**
 * Members in either spelling. The contracts write `threadId`, and servers in Python have written `thread_id`: both are read,
 * and what is handed on is always in camel case. Where both are there, the one in camel case counts.
 *
 * Only members that a contract names are respelled. What an agent keeps in its state or passes to a tool is its own.
 */

type Members = Record<string, unknown>;

/** What a state says about its run, see `AgoraState`. */
const STATE = new Set(["thread_id", "run_id", "current_agent"]);

/** Custom events whose values have members that a contract names. */
const NAMED = /^(agora:|A2UI_RENDER$)/;

/** An event with its members in camel case. */
export function camelEvent<T extends object>(event: T): T {
  const read = camel(event as Members);
  switch (read["type"]) {
    case "STATE_SNAPSHOT":
      if (isMembers(read["snapshot"])) read["snapshot"] = camel(read["snapshot"], STATE);
      break;
    case "STATE_DELTA":
      if (Array.isArray(read["delta"])) read["delta"] = read["delta"].map(camelOperation);
      break;
    case "MESSAGES_SNAPSHOT":
      if (Array.isArray(read["messages"])) read["messages"] = read["messages"].map(camelMessage);
      break;
    case "CUSTOM":
      if (isMembers(read["value"]) && NAMED.test(String(read["name"]))) read["value"] = camel(read["value"]);
      break;
  }
  return read as T;
}

/** A message with its members in camel case, its calls included. Arguments of calls are text and stay as they are. */
function camelMessage(message: unknown): unknown {
  if (!isMembers(message)) return message;
  const read = camel(message);
  if (Array.isArray(read["toolCalls"])) read["toolCalls"] = read["toolCalls"].map((call) => (isMembers(call) ? camel(call) : call));
  return read;
}

function camelOperation(operation: unknown): unknown {
  if (!isMembers(operation)) return operation;
  const respelled = (path: unknown) => (typeof path === "string" && STATE.has(path.slice(1)) ? `/${camelName(path.slice(1))}` : path);
  return { ...operation, path: respelled(operation["path"]), ...("from" in operation && { from: respelled(operation["from"]) }) };
}

/** An object with these members, or all of them, in camel case. */
function camel(members: Members, names?: Set<string>): Members {
  const read: Members = {};
  for (const [name, value] of Object.entries(members)) {
    const respelled = names === undefined || names.has(name) ? camelName(name) : name;
    if (respelled === name || !(respelled in members)) read[respelled] = value;
  }
  return read;
}

function camelName(name: string): string {
  return name.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
