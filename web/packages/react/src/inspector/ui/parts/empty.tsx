/** A place where nothing is yet, and why. */
import { Icon, type IconName } from "../../../ui/index.js";

export function Empty({ icon, title, hint }: { icon: IconName; title: string; hint?: string }) {
  return (
    <div className="fi-empty">
      <Icon name={icon} />
      <p>{title}</p>
      {hint !== undefined && <p className="fi-quiet">{hint}</p>}
    </div>
  );
}
