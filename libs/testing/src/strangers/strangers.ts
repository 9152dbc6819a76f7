import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type StrangerKind } from './stranger-request.js';

const PROGRAMS = join(process.cwd(), 'libs/testing/dist/strangers');

export interface StrangersOptions {
  readonly kind: StrangerKind;
  /** Each sends one request after the other. */
  readonly clients: number;
  /** Of this machine, which the clients have in turn. */
  readonly addresses: readonly string[];
}

export interface StrangersReport {
  /** How many requests were answered with each status, and how many connections were hung up on without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** A flood of requests with unknown keys, from a process of its own. */
export class Strangers {
  private constructor(private readonly child: ChildProcess) {}

  /** Begins, and waits for the first answer. */
  static async flood(url: string, options: StrangersOptions): Promise<Strangers> {
    const child = fork(join(PROGRAMS, 'strangers.main.js'), [JSON.stringify({ url, ...options })]);
    await once(child, 'message');
    return new Strangers(child);
  }

  async stop(): Promise<StrangersReport> {
    const reported = new Promise<StrangersReport>((resolve) => {
      this.child.on('message', (message) => {
        if (isReport(message)) resolve(message);
      });
    });
    const ended = once(this.child, 'exit');
    this.child.send('stop');
    const report = await reported;
    await ended;
    return report;
  }
}

const isReport = (message: unknown): message is StrangersReport =>
  typeof message === 'object' && message !== null && 'statuses' in message;

/**
 * A bare HTTP server, in a process of its own, that answers 401 to everything at once: what a flood costs on this machine,
 * its clients included, when refusing costs as good as nothing.
 */
export class BareRefuser {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<BareRefuser> {
    const child = fork(join(PROGRAMS, 'bare-refuser.main.js'));
    const [port] = (await once(child, 'message')) as [number];
    return new BareRefuser(child, `http://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
