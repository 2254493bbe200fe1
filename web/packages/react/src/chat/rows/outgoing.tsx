/** What the person wrote and the server does not have yet. */
import { useMessages } from "../../i18n/index.js";
import { Badge, Button, Icon, Spinner } from "../../ui/index.js";
import { useScene } from "../context.js";
import type { Outgoing } from "../session/index.js";
import { words } from "../words.js";
import { Addressee, Content } from "./user.js";

export function OutgoingRow({ message }: { message: Outgoing }) {
  const { session } = useScene();
  const messages = useMessages(words);
  return (
    <div className="fs-user" data-outgoing={message.state} data-testid="outgoing">
      <div className="fs-bubble">
        {message.agent !== undefined && <Addressee name={message.agent} />}
        <Content content={message.content} />
      </div>
      <div className="fs-row-actions" data-steady="true">
        {message.state === "sending" && (
          <span className="fs-muted">
            <Spinner /> {messages.sending}
          </span>
        )}
        {message.state === "queued" && <Badge icon="queue">{messages.queued}</Badge>}
        {message.state === "waiting" && <Badge icon="clock">{messages.waitingForServer}</Badge>}
        {message.state === "failed" && (
          <>
            <span className="fs-complaint" role="alert">
              <Icon name="error" /> {messages.notSent}: {message.error?.message}
            </span>
            <Button size="sm" icon="redo" onPress={() => void session.resend(message.id)}>
              {messages.retry}
            </Button>
          </>
        )}
        {message.state !== "sending" && (
          <Button size="sm" kind="quiet" onPress={() => session.discard(message.id)}>
            {messages.discard}
          </Button>
        )}
      </div>
    </div>
  );
}
