import { type Metrics } from '@loci/platform';
import { type FastifyInstance } from 'fastify';
import { clientNetwork } from '../access/client-address.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** How long its answer waited, of those that are spaced out. */
    heldMs: number;
  }
}

/** Far more than clients with a mistyped key or path cause. */
const AT_ONCE = 100;
const INTERVAL_MS = 10;

/** However many wait, none waits longer: a client gives up, and the next one takes its connection. */
const LONGEST_WAIT_MS = 10_000;
const LONGEST_WAIT_TICKS = LONGEST_WAIT_MS / INTERVAL_MS;

/** Each keeps some kilobytes; beyond, they are answered at once. */
const MAX_WAITING = 5_000;

/**
 * Spaces out the answers to those whom nothing makes known, a hundred a second in all: a client that sends its next request
 * when it has the answer to the last one, as those who try keys do, then costs the process next to nothing, from however many
 * addresses it comes. Networks take turns, so that one that floods us delays the clients of others by little: those without
 * a key yet, and those with one at an unknown path, where no key is looked at.
 */
export function spaceRefusals(server: FastifyInstance, metrics: Metrics): void {
  const refusals = new SpacedRefusals();
  metrics.gauge(
    'http_refusals_waiting',
    'Answers to unknown callers that wait, because more of them come than are answered at once.',
    [],
    (gauge) => gauge.set(refusals.waiting),
  );
  server.addHook('preClose', (done) => {
    refusals.end();
    done();
  });
  server.decorateRequest('heldMs', 0);
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < 400 || request.caller || request.routeOptions.config.isOperational) {
      done(null, payload);
      return;
    }
    const heldFrom = performance.now();
    const leave = refusals.take(clientNetwork(request.clientAddress), () => {
      request.heldMs = performance.now() - heldFrom;
      done(null, payload);
    });
    if (leave) reply.raw.once('close', leave);
  });
}

interface HeldAnswer {
  readonly network: string;
  readonly goOn: () => void;
  /** The tick at which it came. */
  readonly since: number;
}

/** What waits goes on by turns of the networks that it came from, and of each in the sequence in which it came. */
export class SpacedRefusals {
  /** In the sequence in which they came. */
  private readonly queue = new Set<HeldAnswer>();
  /** The same by network; whose turn it is comes first. */
  private readonly lanes = new Map<string, Set<HeldAnswer>>();
  private free = AT_ONCE;
  /** How many go on at a time: enough for the most that have waited since none did. */
  private pace = 1;
  private ticks = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;

  get waiting(): number {
    return this.queue.size;
  }

  /**
   * Goes on at once or later.
   * @param network of the client (`clientNetwork`)
   * @returns of one that waits, to be called when its client is gone
   */
  take(network: string, goOn: () => void): (() => void) | undefined {
    if (!this.hasEnded) this.timer ??= setInterval(() => this.tick(), INTERVAL_MS).unref();
    const isFree = this.free > 0 && this.queue.size === 0;
    if (this.hasEnded || isFree || this.queue.size >= MAX_WAITING) {
      if (isFree) this.free -= 1;
      goOn();
      return undefined;
    }
    const held = { network, goOn, since: this.ticks };
    this.queue.add(held);
    const lane = this.lanes.get(network);
    if (lane) lane.add(held);
    else this.lanes.set(network, new Set([held]));
    this.pace = Math.max(this.pace, Math.ceil((this.queue.size * INTERVAL_MS) / LONGEST_WAIT_MS));
    return () => this.release(held);
  }

  /** From now on all go on at once, those that wait included. */
  end(): void {
    this.hasEnded = true;
    clearInterval(this.timer);
    for (const held of this.queue) this.release(held);
  }

  private tick(): void {
    this.ticks += 1;
    if (this.queue.size > 0) {
      // those of one network that have waited for so long must not keep all others waiting, too
      this.takeTurns(Math.max(1, this.pace - this.releaseOverdue()));
      return;
    }
    this.pace = 1;
    this.free += 1;
    if (this.free < AT_ONCE) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** @returns how many it were */
  private releaseOverdue(): number {
    let released = 0;
    for (const held of this.queue) {
      if (released === this.pace || this.ticks - held.since < LONGEST_WAIT_TICKS) break;
      this.release(held);
      released += 1;
    }
    return released;
  }

  private takeTurns(count: number): void {
    for (let turn = 0; turn < count; turn += 1) {
      const [lane = []] = this.lanes.values();
      const [next] = lane;
      if (next) this.release(next);
    }
  }

  /** It is another network's turn then. One that went on already stays as it is. */
  private release(held: HeldAnswer): void {
    if (!this.queue.delete(held)) return;
    const lane = this.lanes.get(held.network);
    lane?.delete(held);
    this.lanes.delete(held.network);
    if (lane && lane.size > 0) this.lanes.set(held.network, lane);
    held.goOn();
  }
}
