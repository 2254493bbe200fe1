/**
 * Stands in for `@ag-ui/proto` in the bundle. The app reads event streams as text, and the decoder of the binary form
 * would be a tenth of everything that a first visit loads.
 */
export const AGUI_MEDIA_TYPE = "application/vnd.ag-ui.event+proto";

export class AGUIUnknownEventTypeError extends Error {}

export function decode(): never {
  throw new Error("this page does not read protobuf");
}

export function encode(): never {
  throw new Error("this page does not write protobuf");
}
