/** Something is under way. It is decoration: say what it is in words beside it. */
import "./spinner.css";

export function Spinner() {
  return <span className="fs-spinner" aria-hidden="true" />;
}
