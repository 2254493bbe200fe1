/** A conversation that is saved as a file, or is not. */
import { Api } from "@forestage/client";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useExport } from "./export.js";

let server: Server;
let answer: RequestListener;
let saved: Blob[];

beforeEach(async () => {
  server = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
    // The page of a test has another origin, so its browser asks first.
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  saved = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
});

afterEach(async () => {
  cleanup();
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function Page() {
  const { port } = server.address() as AddressInfo;
  const { save, dialog } = useExport(new Api({ url: `http://127.0.0.1:${port}` }), "t", "My talk");
  return (
    <>
      <button onClick={save}>Export</button>
      {dialog}
    </>
  );
}

const LINE = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n';

const whole: RequestListener = (_, response) => response.writeHead(200, { "content-type": "application/x-ndjson" }).end(LINE);

test("a conversation is saved as a file", async () => {
  answer = whole;
  render(<Page />);
  fireEvent.click(screen.getByText("Export"));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("an export that breaks off saves nothing, says so, and can be tried again", async () => {
  answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(LINE, () => response.destroy());
  };
  render(<Page />);
  fireEvent.click(screen.getByText("Export"));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("No file was saved");
  expect(saved).toHaveLength(0);
  answer = whole;
  fireEvent.click(screen.getByText("Try again"));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("an export that the server refuses shows why", async () => {
  const error = { code: "store_unavailable", message: "the store failed: disk I/O error" };
  answer = (_, response) => response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  render(<Page />);
  fireEvent.click(screen.getByText("Export"));
  expect((await screen.findByRole("alertdialog")).textContent).toContain("disk I/O error");
  fireEvent.click(screen.getByText("Close"));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
});
