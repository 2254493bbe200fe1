/** The picture beside an agent. */
import type { AgentInfo } from "@forestage/client";
import { Icon } from "@forestage/react";
import { iconOf } from "./listing.js";

export function AgentIcon({ agent }: { agent: AgentInfo }) {
  const icon = iconOf(agent);
  return "name" in icon ? <Icon name={icon.name} /> : <span aria-hidden="true">{icon.sign}</span>;
}
