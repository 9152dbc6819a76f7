import { setTimeout as sleep } from 'node:timers/promises';

export interface CourtesyOptions {
  /** Something quick that has to pass through what is shared with the requests. @returns how long it took */
  readonly probe: () => Promise<number>;
  /** Default: timers. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const PAUSE_MS = 100;

/** However busy it is, work goes on after so many pauses: what waits must not wait for ever. */
const MAX_PAUSES = 10;

/** The usual time is the shortest of late; it is allowed to grow by a tenth with each probe, since conditions change. */
const FORGETTING = 1.1;

/** A probe that takes longer than this share of its usual time, and a bit, stood in a queue behind requests. */
const BUSY_FACTOR = 3;
const BUSY_MARGIN_MS = 1;

/**
 * Makes background work give way to requests: it waits while a probe takes much longer than it usually does, which is
 * how a queue shows itself to who stands in it (the idea of LEDBAT, RFC 6817). Priorities of the operating system alone
 * do not do that, because work for us is also done by servers that do not know whom they work for.
 */
export class Courtesy {
  private usualMs = Infinity;

  constructor(private readonly options: CourtesyOptions) {}

  /** Returns when it is quiet, after a second at the latest. A probe that fails does not hold anything up. */
  async giveWay(): Promise<void> {
    const { pause = sleep } = this.options;
    for (let pauses = 0; pauses < MAX_PAUSES && (await this.isBusy()); pauses += 1) await pause(PAUSE_MS);
  }

  private async isBusy(): Promise<boolean> {
    const tookMs = await this.options.probe().catch(() => 0);
    const isBusy = tookMs > this.usualMs * BUSY_FACTOR + BUSY_MARGIN_MS;
    this.usualMs = Math.min(tookMs, this.usualMs * FORGETTING);
    return isBusy;
  }
}
