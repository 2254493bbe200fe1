/** The agent is at work and says nothing yet: which steps, and for how long. */
import { duration, useLocale, useMessages } from "../../i18n/index.js";
import { Icon, Spinner } from "../../ui/index.js";
import { useNow } from "../approval/use-countdown.js";
import { useScene } from "../context.js";
import { type SessionState, useSessionState } from "../session/index.js";
import { words } from "../words.js";

export function Working({ steps, from }: { steps: SessionState["steps"]; from: number | undefined }) {
  const messages = useMessages(words);
  const locale = useLocale();
  const { session } = useScene();
  // Nobody knows how the run is doing while the server is away, so the clock stands still until it is back.
  const isLive = useSessionState(session, ({ connection }) => connection.state === "live");
  const now = useNow(isLive);
  const took = from === undefined ? 0 : now - from;
  return (
    <div className="fs-working" data-testid="working" data-live={isLive}>
      {steps.length === 0 ? (
        <p>
          <span className="fs-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span className="fs-visually-hidden">{messages.working}</span>
          {took > 3000 && <span className="fs-muted">{duration(took, locale)}</span>}
        </p>
      ) : (
        <ul aria-label={messages.steps}>
          {steps.map(({ name, done }, at) => (
            <li key={at} data-done={done}>
              {done ? <Icon name="check" /> : <Spinner />} {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
