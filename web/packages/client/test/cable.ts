/** A cable between a client and a server, which can be cut. */
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";

export class Cable {
  private readonly ends = new Set<Socket>();
  private server!: Server;
  /** How often somebody connected. */
  connections = 0;

  private constructor(private readonly target: number) {}

  static async to(target: number): Promise<Cable> {
    const cable = new Cable(target);
    cable.server = createServer((socket) => cable.join(socket));
    await new Promise<void>((resolve) => cable.server.listen(0, "127.0.0.1", resolve));
    return cable;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/ws`;
  }

  /** Another door of the same server. */
  door(path: string, scheme = "ws"): string {
    return `${scheme}://127.0.0.1:${this.port}${path}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Cuts all connections, without a word to either side. */
  cut(): void {
    for (const end of this.ends) end.destroy();
  }

  async remove(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket): void {
    this.connections += 1;
    const far = connect(this.target, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.ends.delete(one);
        other.destroy();
      });
    }
  }
}
