/** Links by which others may read a conversation: made, copied once, listed, taken back. */
import type { Share } from "@forestage/client";
import { Button, Select, clock, useLocale, useMessages } from "@forestage/react";
import { CopyButton } from "@forestage/react/chat";
import { useEffect, useState } from "react";
import { paths } from "../router.js";
import { api } from "../stage.js";
import { appWords } from "../words.js";
import { Framed } from "./dialogs.js";
import "./share-dialog.css";

const DAY = 86_400;
const FOREVER = "forever";

export function ShareDialog({ threadId, onClose }: { threadId: string; onClose: () => void }) {
  const words = useMessages(appWords);
  const [shares, setShares] = useState<Share[]>([]);
  const [link, setLink] = useState<string>();
  const [seconds, setSeconds] = useState(FOREVER);
  const [problem, setProblem] = useState<string>();
  const attempt = (work: Promise<void>) => void work.then(() => setProblem(undefined), (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  const refresh = async () => setShares(await api.shares(threadId));
  useEffect(() => attempt(api.shares(threadId).then(setShares)), [threadId]);

  const make = async () => {
    const { token } = await api.share(threadId, seconds === FOREVER ? undefined : Number(seconds));
    setLink(location.origin + paths.share(threadId, token));
    await refresh();
  };
  const takeBack = async (share: Share) => {
    await api.removeShare(threadId, share.id);
    setLink(undefined);
    await refresh();
  };

  return (
    <Framed label={words.shareTitle} onClose={onClose}>
      <p>{words.shareWhy}</p>
      <div className="share-make">
        <div className="fs-field">
          <label id="share-for" htmlFor="share-for-list">{words.shareFor}</label>
          <Select
            id="share-for-list"
            aria-labelledby="share-for"
            options={[
              { value: FOREVER, label: words.shareForever },
              { value: String(DAY), label: words.shareDay },
              { value: String(7 * DAY), label: words.shareWeek },
              { value: String(30 * DAY), label: words.shareMonth },
            ]}
            value={seconds}
            onChange={setSeconds}
          />
        </div>
        <Button kind="primary" icon="link" onPress={() => attempt(make())}>
          {words.makeLink}
        </Button>
      </div>
      {link !== undefined && <NewLink link={link} />}
      {problem !== undefined && (
        <p className="fs-complaint" role="alert">
          {problem}
        </p>
      )}
      {shares.length > 0 && <Links shares={shares} onTakeBack={(share) => attempt(takeBack(share))} />}
      <div className="fs-actions">
        <Button kind="quiet" onPress={onClose}>
          {words.close}
        </Button>
      </div>
    </Framed>
  );
}

function NewLink({ link }: { link: string }) {
  const words = useMessages(appWords);
  return (
    <div className="share-link">
      <label className="fs-field">
        {words.newLink}
        <input className="fs-input" readOnly autoFocus value={link} onFocus={({ target }) => target.select()} />
      </label>
      <CopyButton text={link} label={words.copyLink} />
      <p>{words.newLinkWhy}</p>
    </div>
  );
}

function Links({ shares, onTakeBack }: { shares: Share[]; onTakeBack: (share: Share) => void }) {
  const words = useMessages(appWords);
  const locale = useLocale();
  const now = Date.now();
  const until = ({ expiresAt }: Share) => (expiresAt === null ? words.shareForever : expiresAt <= now ? words.linkOver : words.linkUntil(clock(expiresAt, now, locale)));
  return (
    <ul className="share-list" aria-label={words.links}>
      {shares.map((share) => {
        const made = words.linkMade(clock(share.at, now, locale));
        return (
          <li key={share.id}>
            <span>
              {made}, {until(share)}
            </span>
            <Button size="sm" aria-label={words.takeBackLink(made)} onPress={() => onTakeBack(share)}>
              {words.takeBack}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
