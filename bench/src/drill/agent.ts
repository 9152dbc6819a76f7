import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AcknowledgedMessage } from './drill-problems.js';

export interface AgentOptions {
  readonly name: string;
  /** The gateway whose turn it is. */
  readonly url: () => string;
  readonly projectIds: readonly string[];
  /** Between two messages. */
  readonly pauseMs: number;
  /** How long the last message may wait for its acknowledgement after `stop`. */
  readonly lastMs: number;
}

export const ORG = 'drill';

/** A request that is not answered by then is sent again. */
const TIMEOUT_MS = 10_000;
const RETRY_PAUSE_MS = 100;

/** A stand-in for an agent: writes one message after the other, each until it is acknowledged, and keeps a list of them. */
export class Agent {
  readonly acknowledged: AcknowledgedMessage[] = [];
  /** Requests that had to be sent again. */
  retries = 0;
  private stoppedAtMs: number | undefined;

  constructor(private readonly options: AgentOptions) {}

  stop(): void {
    this.stoppedAtMs = performance.now();
  }

  /**
   * Ends after `stop`, when the last message is acknowledged too.
   * @throws Error when it is not within `lastMs`
   */
  async run(): Promise<void> {
    const { name, projectIds, pauseMs } = this.options;
    for (let turn = 0; this.stoppedAtMs === undefined; turn += 1) {
      const fact = `the number ${name}-${turn}`;
      const content = `The customer likes ${fact}.`;
      const uid = await this.addUntilAcknowledged(projectIds[turn % projectIds.length] ?? '', content);
      this.acknowledged.push({ uid, content, fact });
      await pause(pauseMs);
    }
  }

  /** One key for all attempts, so that an answer that was lost does not make a second message. */
  private async addUntilAcknowledged(projectId: string, content: string): Promise<string> {
    const key = randomUUID();
    for (;;) {
      const uid = await this.add(projectId, content, key).catch(() => undefined);
      if (uid !== undefined) return uid;
      this.assertWorthwhile();
      this.retries += 1;
      await pause(RETRY_PAUSE_MS);
    }
  }

  private assertWorthwhile(): void {
    const { name, lastMs } = this.options;
    if (this.stoppedAtMs === undefined || performance.now() - this.stoppedAtMs < lastMs) return;
    throw new Error(`${name}: the last message was not acknowledged within ${lastMs / 1_000} s`);
  }

  private async add(projectId: string, content: string, key: string): Promise<string | undefined> {
    const answer = await fetch(`${this.options.url()}/api/v2/memories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ org_id: ORG, project_id: projectId, messages: [{ content }] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) return undefined;
    const { results } = (await answer.json()) as { results: readonly { uid: string }[] };
    return results[0]?.uid;
  }
}
