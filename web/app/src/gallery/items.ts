/** What there is to see of components; surfaces and views are beside this. */
import type { ItsName } from "@forestage/react/generated";
import { examples, schemas } from "@forestage/react/generated";

export interface ComponentItem {
  kind: "component";
  slug: string;
  title: string;
  about: string;
  name: ItsName;
}

/** `its:render_quick_quiz` as it stands in an address. */
export function slugOf(name: ItsName): string {
  return name.replace("its:render_", "").replaceAll("_", "-");
}

/** `its:render_quick_quiz` as people call it. */
export function titleOf(name: ItsName): string {
  const words = name.replace("its:render_", "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const components: ComponentItem[] = (Object.keys(examples) as ItsName[]).map((name) => ({
  kind: "component",
  slug: slugOf(name),
  title: titleOf(name),
  about: schemas[name].description,
  name,
}));
