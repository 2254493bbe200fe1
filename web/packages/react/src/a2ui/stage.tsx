/** Where the elements of a surface live: a place in the page that belongs to them and not to React. */
import { ComponentContext } from "@a2ui/web_core/v0_9";
import { Context } from "@a2ui/web_core/v0_9/basic_catalog";
import { useEffect, useRef } from "react";
import { markdownHtml } from "./markdown.js";
import type { Surface } from "./screen.js";

export function Stage({ surface, isDisabled }: { surface: Surface; isDisabled: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    host.addEventListener("context-request", answerContext);
    const created = surface.componentsModel.onCreated.subscribe((component) => {
      if (component.id === "root") mount(host, surface);
    });
    mount(host, surface);
    return () => {
      created.unsubscribe();
      host.removeEventListener("context-request", answerContext);
      host.replaceChildren();
    };
  }, [surface]);
  useEffect(() => {
    const host = place.current;
    if (host === null || !isDisabled) return;
    const observer = new MutationObserver(() => disable(host));
    disable(host);
    observer.observe(host, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      enable(host);
    };
  }, [isDisabled, surface]);
  return <div className="fs-a2ui-stage" ref={place} />;
}

/** Draws from the root down; before there is one there is nothing to see. */
function mount(host: HTMLElement, surface: Surface): void {
  const root = surface.componentsModel.get("root");
  const tag = root === undefined ? undefined : surface.catalog.components.get(root.type)?.tagName;
  if (tag === undefined) return host.replaceChildren();
  const element = document.createElement(tag) as HTMLElement & { context: ComponentContext };
  element.context = new ComponentContext(surface, "root", "/");
  host.replaceChildren(element);
}

/** Elements ask their surroundings how Markdown is drawn. */
function answerContext(event: Event): void {
  const request = event as Event & { context?: unknown; callback?: (value: unknown) => void };
  if (request.context !== Context.markdown) return;
  event.stopPropagation();
  request.callback?.(async (text: string) => markdownHtml(text));
}

const CONTROLS = "button, input, textarea, select";

/** Controls that could be used are switched off, and known by a mark. */
function disable(host: HTMLElement): void {
  for (const control of host.querySelectorAll<HTMLInputElement>(CONTROLS)) {
    if (control.disabled) continue;
    control.disabled = true;
    control.dataset["off"] = "";
  }
}

function enable(host: HTMLElement): void {
  for (const control of host.querySelectorAll<HTMLInputElement>("[data-off]")) {
    control.disabled = false;
    delete control.dataset["off"];
  }
}
