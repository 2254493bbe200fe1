/** How far the learner has come: a bar, a circle, or milestones. There is nothing to answer but that it was seen. */
import { Label, ProgressBar } from "react-aria-components";
import { useLocale, useMessages } from "../i18n/index.js";
import { Badge, Icon } from "../ui/index.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import type { Args, Shown } from "./phase.js";
import { itsTool } from "./tool.js";
import { words } from "./words.js";
import "./progress-visualizer.css";

const NAME = "its:render_progress_visualizer";

export function ProgressVisualizer(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.title}
      status={shown.phase === "answered" && <Badge>{text.seen}</Badge>}
      footer={
        shown.phase === "live" && (
          <Send
            isDisabled={shown.isBusy}
            isSending={shown.sending !== undefined}
            onPress={() => shown.send({ visualizer_id: args.visualizer_id, action: "acknowledged" })}
          >
            {text.continue}
          </Send>
        )
      }
    >
      {args.type === "milestones" ? <Milestones args={args} /> : <Amount args={args} />}
    </Frame>
  );
}

/** How far one is, of how much. */
export function amountOf(args: Args<typeof NAME>): { value: number; total: number } {
  const milestones = args.milestones ?? [];
  if (args.current_progress === undefined && milestones.length > 0) {
    return { value: milestones.filter((milestone) => milestone.achieved).length, total: milestones.length };
  }
  const total = Math.max(args.total_value ?? 100, 0);
  return { value: Math.min(Math.max(args.current_progress ?? 0, 0), total), total };
}

function Amount({ args }: { args: Args<typeof NAME> }) {
  const text = useMessages(words);
  const locale = useLocale();
  const { value, total } = amountOf(args);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const share = total > 0 ? value / total : 0;
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(share);
  const said = total === 100 ? percent : `${number.format(value)} / ${number.format(total)}`;
  return (
    <ProgressBar className="its-amount" data-kind={args.type} value={value} minValue={0} maxValue={total} valueLabel={said}>
      <Label className="its-hidden">{args.title ?? text.progress}</Label>
      {args.type === "circular" ? <Ring share={share} percent={percent} /> : <Bar share={share} />}
      <span className="its-amount-said">
        {said}
        {args.type === "bar" && total !== 100 && <span>{percent}</span>}
      </span>
    </ProgressBar>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <span className="its-bar">
      <span style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}

function Ring({ share, percent }: { share: number; percent: string }) {
  const around = 2 * Math.PI * 42;
  return (
    <svg className="its-ring" viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      <circle cx="50" cy="50" r="42" className="its-ring-way" />
      <circle cx="50" cy="50" r="42" className="its-ring-done" strokeDasharray={`${around * share} ${around}`} transform="rotate(-90 50 50)" />
      <text x="50" y="50" textAnchor="middle" dominantBaseline="central">
        {percent}
      </text>
    </svg>
  );
}

function Milestones({ args }: { args: Args<typeof NAME> }) {
  const text = useMessages(words);
  const milestones = args.milestones ?? [];
  const done = milestones.filter((milestone) => milestone.achieved).length;
  const current = milestones.findIndex((milestone) => !milestone.achieved);
  return (
    <>
      <ol className="its-milestones">
        {milestones.map((milestone, at) => (
          <li key={at} className="its-milestone" data-achieved={milestone.achieved || undefined} data-current={at === current || undefined}>
            <span className="its-milestone-mark" aria-hidden="true">
              {milestone.achieved ? <Icon name="check" /> : at + 1}
            </span>
            <span className="its-milestone-name" dir="auto">
              {milestone.name}
            </span>
            {milestone.target_value !== undefined && <span className="its-milestone-target">{milestone.target_value}</span>}
            <span className="its-hidden">{milestone.achieved ? text.achieved : text.ahead}</span>
          </li>
        ))}
      </ol>
      <p className="its-note">{milestones.length === 0 ? text.noMilestones : text.achievedOf(done, milestones.length)}</p>
    </>
  );
}

export const tool = itsTool(NAME, ProgressVisualizer);
