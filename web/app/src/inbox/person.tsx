/** Who one is in the demo. It has a second person, so that what needs two people can be tried by one. */
import { Button, Icon, Select, useMessages } from "@forestage/react";
import { become, useStage } from "../stage.js";
import { inboxWords } from "./words.js";

export function PersonSwitch() {
  const words = useMessages(inboxWords);
  const server = useStage((stage) => stage.server);
  if (server?.people === undefined) return null;
  return (
    <div className="person-switch">
      <Icon name="user" />
      <Select size="sm" aria-label={words.actAs} options={server.people.map((name) => ({ value: name, label: name }))} value={server.user} onChange={become} />
    </div>
  );
}

/** After one's own approval, where another one is needed. */
export function SecondPerson() {
  const words = useMessages(inboxWords);
  const server = useStage((stage) => stage.server);
  const other = server?.people?.find((name) => name !== server.user);
  if (other === undefined) return null;
  return (
    <p className="inbox-second">
      {words.secondPerson(other)}
      <Button size="sm" icon="user" onPress={() => become(other)}>
        {words.switchTo(other)}
      </Button>
    </p>
  );
}
