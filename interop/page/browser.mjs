// @ts-check
/** Chromium, as the system has it. FORESTAGE_CHROMIUM names another one. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const executablePath = process.env.FORESTAGE_CHROMIUM ?? "/usr/bin/chromium";

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Why there is no browser, or `false`. */
export function missingBrowser() {
  if (existsSync(executablePath)) return false;
  const reason = `no browser at ${executablePath}; install chromium or set FORESTAGE_CHROMIUM`;
  if (process.env.FORESTAGE_CHROMIUM !== undefined) throw new Error(reason);
  return reason;
}

/** A browser that nobody has used before. @param {import("playwright-core").BrowserType} chromium */
export async function openBrowser(chromium) {
  const folder = await mkdtemp(join(tmpdir(), "forestage-chromium-"));
  const context = await chromium.launchPersistentContext(folder, { executablePath, args, timeout: 60_000 });
  context.setDefaultTimeout(30_000);
  const close = async () => {
    await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { context, close };
}
