export * from "./events.js";
export { type BackoffOptions, delayOf } from "./backoff.js";
export {
  AGUIWebSocketClient,
  type AGUIWebSocketClientOptions,
  ConnectionError,
  type ConnectionStatus,
  UNAUTHORISED,
} from "./client.js";
export { type Bubble, type Conversation, type ToolCard, applyDecision, applyEvent, emptyConversation } from "./conversation.js";
export * from "./agent/index.js";
