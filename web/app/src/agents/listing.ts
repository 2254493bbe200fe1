/** How agents are listed: what they are called, in which order, and which of them are folded away. */
import type { AgentInfo } from "@forestage/client";
import type { IconName } from "@forestage/react";
import { isIconName } from "@forestage/react";

/** The group that lists fold away. */
const DEVELOPER = "developer";

/** What people call an agent: its title, or its name where it has none. */
export function titleOf(agents: readonly AgentInfo[], name: string): string {
  return agents.find((agent) => agent.name === name)?.title ?? name;
}

export const isForDevelopers = ({ group }: AgentInfo): boolean => group === DEVELOPER;

export interface Listed {
  /** The groups in the order of their first agents; agents without a group have `undefined`. */
  groups: { title: string | undefined; agents: AgentInfo[] }[];
  /** What only developers look for. */
  folded: AgentInfo[];
}

/** Agents as lists show them. The server has sorted them already. */
export function listed(agents: readonly AgentInfo[]): Listed {
  const groups = new Map<string | undefined, AgentInfo[]>();
  for (const agent of agents.filter((one) => !isForDevelopers(one))) {
    const title = agent.group ?? undefined;
    groups.set(title, [...(groups.get(title) ?? []), agent]);
  }
  return { groups: [...groups].map(([title, members]) => ({ title, agents: members })), folded: agents.filter(isForDevelopers) };
}

/** An agent's icon: one of ours by its name, or a sign such as an emoji. */
export function iconOf({ icon }: AgentInfo): { name: IconName } | { sign: string } {
  if (icon === undefined || icon === null || icon === "") return { name: "quote" };
  if (isIconName(icon)) return { name: icon };
  // A name that is not ours is no picture.
  return /^[\w-]+$/.test(icon) ? { name: "quote" } : { sign: icon };
}
