export * from "./events.js";
export { type BackoffOptions, delayOf } from "./backoff.js";
export { ConnectionError, type ConnectionStatus, type SocketOptions } from "./connection.js";
export { AGUIWebSocketClient, type AGUIWebSocketClientOptions, UNAUTHORISED } from "./client.js";
export { type Bubble, type Conversation, type ToolCard, applyDecision, applyEvent, emptyConversation } from "./conversation.js";
export { camelEvent } from "./spelling.js";
export * from "./realtime/index.js";
export * from "./awp/index.js";
export * from "./agent/index.js";
