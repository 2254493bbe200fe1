/** The list of the inbox: what waits, what was decided lately, and what is remembered. */
import type { InterruptRecord } from "@forestage/client";
import { Icon, Select, useMessages } from "@forestage/react";
import { askWords } from "@forestage/react/chat";
import { keyOf } from "../stage.js";
import { Item } from "./item.js";
import { RuleList } from "./rule-list.js";
import type { Records } from "./use-records.js";
import { inboxWords } from "./words.js";

const RISKS = ["low", "medium", "high", "critical"] as const;
export type RiskFilter = "any" | (typeof RISKS)[number];

interface ListProps extends Records {
  waiting: readonly InterruptRecord[];
  /** How many wait, whatever the filter. */
  total: number;
  risk: RiskFilter;
  onRisk: (risk: RiskFilter) => void;
  user: string | undefined;
  chosen: string | undefined;
  onGo: () => void;
}

export function InboxList({ waiting, total, risk, onRisk, decided, rules, refreshRules, user, chosen, onGo }: ListProps) {
  const words = useMessages(askWords);
  const own = useMessages(inboxWords);
  const row = (record: InterruptRecord) => <Item key={keyOf(record)} record={record} user={user} current={keyOf(record) === chosen} onGo={onGo} />;
  return (
    <div className="inbox-list">
      {total > 0 ? (
        <section aria-labelledby="inbox-waiting">
          <header>
            <h2 id="inbox-waiting">{own.waiting}</h2>
            <Select
              size="sm"
              aria-label={own.risk}
              options={[{ value: "any" as RiskFilter, label: own.anyRisk }, ...RISKS.map((one) => ({ value: one as RiskFilter, label: words.risk(one) }))]}
              value={risk}
              onChange={onRisk}
            />
          </header>
          {waiting.length === 0 ? <p className="fs-muted">{own.noneOfRisk}</p> : <ul>{waiting.map(row)}</ul>}
        </section>
      ) : (
        <div className="inbox-empty" tabIndex={-1}>
          <Icon name="inbox" />
          <h2>{words.inboxEmpty}</h2>
          <p>{words.inboxEmptyWhy}</p>
        </div>
      )}
      {rules.length > 0 && <RuleList rules={rules} onRemove={refreshRules} />}
      {decided.length > 0 && (
        <section aria-labelledby="inbox-decided">
          <h2 id="inbox-decided">{words.decided}</h2>
          <ul>{decided.map(row)}</ul>
        </section>
      )}
    </div>
  );
}
