/** Files as parts of a message: what kind they are, and their bytes. */
import type { ContentPart } from "@ag-ui/core";

export const MAX_BYTES = 10 * 1024 * 1024;

export interface Picked {
  id: string;
  name: string;
  type: string;
  /** How many bytes. */
  size: number;
  part: Exclude<ContentPart, { type: "text" }>;
}

/** Reads a file. */
export async function picked(file: File): Promise<Picked> {
  const type = file.type === "" ? "application/octet-stream" : file.type;
  const source = { type: "data" as const, value: await base64(file), mimeType: type };
  return { id: crypto.randomUUID(), name: file.name, type, size: file.size, part: { type: kindOf(type), source, metadata: { name: file.name } } };
}

export function kindOf(type: string): "image" | "audio" | "video" | "document" {
  const kind = type.split("/")[0];
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("the file cannot be read"));
    reader.readAsDataURL(file);
  });
}

/** What is sent: plain words where there are no files. */
export function contentOf(text: string, files: readonly Picked[]): string | ContentPart[] {
  if (files.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...files.map(({ part }) => part)];
}
