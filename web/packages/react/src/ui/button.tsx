/** Buttons: one look, four weights. An icon button always has a name. */
import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps, Tooltip, TooltipTrigger } from "react-aria-components";
import { Icon, type IconName } from "./icon.js";
import { Spinner } from "./spinner.js";
import "./button.css";

export interface ButtonProps extends Omit<AriaButtonProps, "children" | "className" | "style"> {
  children?: ReactNode;
  kind?: "primary" | "plain" | "quiet" | "danger";
  size?: "sm" | "md";
  icon?: IconName;
  /** Something is under way; it cannot be pressed again. */
  busy?: boolean;
  className?: string;
}

export function Button({ kind = "plain", size = "md", icon, busy = false, children, className = "", ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} isPending={busy} className={`fs-button ${className}`} data-kind={kind} data-size={size}>
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  icon: IconName;
  /** What it does: read out, and shown when pointed at. */
  label: string;
  /** Keeps the name to screen readers. */
  tooltip?: boolean;
}

export function IconButton({ label, icon, kind = "quiet", size = "md", busy = false, tooltip = true, className = "", ...rest }: IconButtonProps) {
  const button = (
    <AriaButton
      {...rest}
      aria-label={label}
      isPending={busy}
      className={`fs-button fs-icon-button ${className}`}
      data-kind={kind}
      data-size={size}
    >
      {busy ? <Spinner /> : <Icon name={icon} />}
    </AriaButton>
  );
  if (!tooltip) return button;
  return (
    <TooltipTrigger delay={600} closeDelay={100}>
      {button}
      <Tooltip className="fs-tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
