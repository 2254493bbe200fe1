/**
 * The components of the basic catalog, improved: every input has a name, says what is wrong with it, and only after
 * somebody has touched it; `accessibility` is said; nothing is loaded from elsewhere. Each is the published element with
 * something done after it has drawn itself, so that what it gets better at upstream comes to us.
 */
import type { WebComponentImplementation } from "@a2ui/web_core/v0_9";
import * as basic from "@a2ui/web_core/v0_9/basic_catalog";
import { isOurs } from "../its/picture.js";
import { groupChoices, nameButton, nameDates, nameField, nameSlider, reachTabs, describe, hideIcon, keepModal } from "./polish.js";

/** What a component was told, resolved. */
export type Props = Record<string, unknown>;

type Polish = (element: HTMLElement, props: Props) => void;

/** As much as we need to know of the published elements. */
interface Published extends HTMLElement {
  controller?: { props?: unknown };
  updated(changed: unknown): void;
  render(): unknown;
}

function improve(component: WebComponentImplementation, Base: unknown, polish: Polish, render?: (props: Props) => Node | undefined): WebComponentImplementation {
  const Parent = Base as new () => Published;
  const propsOf = (element: Published): Props => (element.controller?.props ?? {}) as Props;
  class Improved extends Parent {
    override updated(changed: unknown): void {
      super.updated(changed);
      const props = propsOf(this);
      polish(this, props);
      describe(this, props);
    }

    override render(): unknown {
      return render?.(propsOf(this)) ?? super.render();
    }
  }
  const tagName = `forestage-${component.name.toLowerCase()}`;
  if (customElements.get(tagName) === undefined) customElements.define(tagName, Improved);
  return { ...component, tagName };
}

const nothing: Polish = () => undefined;

/** What stands for a picture, a film or a sound that is on another site: a link, which somebody may follow. */
function elsewhere(props: Props): Node | undefined {
  const url = props["url"];
  if (typeof url !== "string" || url === "" || isOurs(url)) return undefined;
  const said = typeof props["description"] === "string" && props["description"] !== "" ? props["description"] : url;
  if (!/^https?:/.test(url)) return document.createTextNode(said);
  const link = document.createElement("a");
  Object.assign(link, { href: url, target: "_blank", rel: "noreferrer noopener", textContent: said, className: "fs-a2ui-elsewhere" });
  return link;
}

export const components: WebComponentImplementation[] = [
  improve(basic.A2uiTextField, basic.A2uiBasicTextFieldElement, nameField),
  improve(basic.A2uiCheckBox, basic.A2uiCheckBoxElement, nameField),
  improve(basic.A2uiChoicePicker, basic.A2uiChoicePickerElement, groupChoices),
  improve(basic.A2uiSlider, basic.A2uiSliderElement, nameSlider),
  improve(basic.A2uiDateTimeInput, basic.A2uiDateTimeInputElement, nameDates),
  improve(basic.A2uiButton, basic.A2uiBasicButtonElement, nameButton),
  improve(basic.A2uiIcon, basic.A2uiIconElement, hideIcon),
  improve(basic.A2uiTabs, basic.A2uiLitTabs, reachTabs),
  improve(basic.A2uiModal, basic.A2uiLitModal, keepModal),
  improve(basic.A2uiImage, basic.A2uiImageElement, nothing, elsewhere),
  improve(basic.A2uiVideo, basic.A2uiVideoElement, nothing, elsewhere),
  improve(basic.A2uiAudioPlayer, basic.A2uiAudioPlayerElement, nothing, elsewhere),
  basic.A2uiText,
  basic.A2uiCard,
  basic.A2uiColumn,
  basic.A2uiRow,
  basic.A2uiList,
  basic.A2uiDivider,
];
