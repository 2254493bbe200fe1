export { AwpClient, type AwpClientOptions, type AwpEvent, type Interaction } from "./client.js";
