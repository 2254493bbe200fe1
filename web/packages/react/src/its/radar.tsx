/** A shape of shares around a middle. It repeats what the bars say, so it is not read out. */

export interface Point {
  name: string;
  share: number;
}

const SIZE = 200;
const MIDDLE = SIZE / 2;
const REACH = 74;

export function Radar({ points }: { points: Point[] }) {
  if (points.length < 3 || points.length > 8) return null;
  const at = (index: number, share: number) => place(index, points.length, share);
  const ring = (share: number) => points.map((_, index) => at(index, share).join(",")).join(" ");
  const shape = points.map((point, index) => at(index, Math.max(point.share, 0.04)).join(",")).join(" ");
  return (
    <svg className="its-radar" viewBox={`-40 0 ${SIZE + 80} ${SIZE}`} aria-hidden="true" focusable="false">
      {[1, 0.75, 0.5, 0.25].map((share) => (
        <polygon key={share} className="its-radar-ring" points={ring(share)} />
      ))}
      {points.map((_, index) => {
        const [x, y] = at(index, 1);
        return <line key={index} className="its-radar-ring" x1={MIDDLE} y1={MIDDLE} x2={x} y2={y} />;
      })}
      <polygon className="its-radar-shape" points={shape} />
      {points.map((point, index) => {
        const [x, y] = at(index, Math.max(point.share, 0.04));
        return <circle key={index} className="its-radar-dot" cx={x} cy={y} r={3} />;
      })}
      {points.map((point, index) => {
        const [x, y] = at(index, 1.18);
        const anchor = Math.abs(x - MIDDLE) < 8 ? "middle" : x > MIDDLE ? "start" : "end";
        return (
          <text key={index} x={x} y={y} textAnchor={anchor} dominantBaseline="middle">
            {short(point.name)}
          </text>
        );
      })}
    </svg>
  );
}

/** Where a share lies, the first straight up and then clockwise. */
export function place(index: number, count: number, share: number): [number, number] {
  const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
  const round = (value: number) => Math.round(value * 10) / 10;
  return [round(MIDDLE + Math.cos(angle) * REACH * share), round(MIDDLE + Math.sin(angle) * REACH * share)];
}

function short(name: string): string {
  const letters = [...name];
  return letters.length > 11 ? `${letters.slice(0, 10).join("")}…` : name;
}
