// @ts-check
/** The table in the documentation says what the tests prove. `UPDATE=1 npm test` rewrites it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { page, writePage } from "../src/table.mjs";

test("the table of clients in docs/clients.md is fresh", async () => {
  const { text, fresh } = await page();
  if (process.env.UPDATE) await writePage(fresh);
  else assert.equal(text, fresh, "run UPDATE=1 npm test in interop/ag-ui-versions");
});
