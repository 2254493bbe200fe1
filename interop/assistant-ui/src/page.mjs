// @ts-check
/** The page of this folder, once it is built. */
import * as page from "../../page/page.mjs";

const dist = new URL("../dist/", import.meta.url);

export const missingPage = () => page.missingPage(dist);
export const servePage = () => page.servePage(dist);
