// @ts-check
/** The browser, driven by the library that this folder pins. */
import { chromium } from "playwright-core";
import * as browser from "../../page/browser.mjs";

export const { missingBrowser } = browser;
export const openBrowser = () => browser.openBrowser(chromium);
