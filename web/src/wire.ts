// Questions to the server over one WebSocket, as docs/rooms/app.md states them. Each question has a number;
// in a channel the latest wins, and an answer settles every earlier question of its channel.

export interface Problem {
  at: string;
  problem: string;
  remedy: string;
}

/** What a question that was replaced by a later one of its channel is settled with. */
export const SUPERSEDED = Symbol("superseded");

export class Refused extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map((p) => [p.at, p.problem, p.remedy].filter(Boolean).join(": ")).join("\n"));
  }
}

interface Waiting {
  channel?: string;
  message: string;
  settle(value: unknown): void;
  refuse(reason: Refused): void;
}

type Listener = (event: { event: string; seq?: number; [key: string]: unknown }) => void;

// A server that was started again is found within a second or two, without flooding it.
const RECONNECT_MS = [100, 250, 500, 1000, 2000];

export class Wire {
  private socket: WebSocket | null = null;
  private seq = 0;
  private attempts = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    private readonly onEvent: Listener,
    private readonly onConnected: (connected: boolean) => void,
  ) {
    this.connect();
  }

  /** Ask; a question in a channel replaces the waiting ones there. Questions are kept over a lost connection. */
  ask(what: string, fields: Record<string, unknown> = {}, channel?: string): Promise<unknown> {
    const seq = ++this.seq;
    const message = JSON.stringify({ seq, do: what, ...(channel ? { channel } : {}), ...fields });
    return new Promise((settle, refuse) => {
      this.waiting.set(seq, { channel, message, settle, refuse });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
    });
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.onConnected(true);
      for (const { message } of this.waiting.values()) socket.send(message);
    };
    socket.onmessage = (frame) => this.receive(JSON.parse(frame.data as string));
    socket.onclose = () => {
      this.onConnected(false);
      const delay = RECONNECT_MS[Math.min(this.attempts++, RECONNECT_MS.length - 1)];
      setTimeout(() => this.connect(), delay);
    };
  }

  private receive(said: { seq: number; ok?: boolean; answer?: unknown; problems?: Problem[]; event?: string }): void {
    if (said.event !== undefined) return this.onEvent({ ...said, event: said.event });
    const asked = this.waiting.get(said.seq);
    if (!asked) return;
    this.waiting.delete(said.seq);
    if (asked.channel) this.supersede(asked.channel, said.seq);
    if (said.ok) asked.settle(said.answer);
    else asked.refuse(new Refused(said.problems ?? []));
  }

  private supersede(channel: string, seq: number): void {
    for (const [earlier, other] of this.waiting) {
      if (other.channel === channel && earlier < seq) {
        this.waiting.delete(earlier);
        other.settle(SUPERSEDED);
      }
    }
  }
}
