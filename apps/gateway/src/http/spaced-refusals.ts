import { type Metrics } from '@loci/platform';
import { type FastifyInstance } from 'fastify';

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

/** Each keeps some kilobytes; beyond, they are answered at once. */
const MAX_WAITING = 5_000;

/**
 * Spaces out the answers to those whom nothing makes known, a hundred a second in all: a client that sends its next request
 * when it has the answer to the last one, as those who try keys do, then costs the process next to nothing, from however many
 * addresses it comes. Who has a key that is valid waits only at an
 * unknown path, where no key is looked at.
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
    const leave = refusals.take(() => {
      request.heldMs = performance.now() - heldFrom;
      done(null, payload);
    });
    if (leave) reply.raw.once('close', leave);
  });
}

/** What waits goes on in the sequence in which it came. */
export class SpacedRefusals {
  private readonly queue = new Set<() => void>();
  private free = AT_ONCE;
  /** How many go on at a time: enough for the most that have waited since none did. */
  private pace = 1;
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;

  get waiting(): number {
    return this.queue.size;
  }

  /** Goes on at once or later. @returns of one that waits, to be called when its client is gone */
  take(goOn: () => void): (() => void) | undefined {
    if (!this.hasEnded) this.timer ??= setInterval(() => this.tick(), INTERVAL_MS).unref();
    const isFree = this.free > 0 && this.queue.size === 0;
    if (this.hasEnded || isFree || this.queue.size >= MAX_WAITING) {
      if (isFree) this.free -= 1;
      goOn();
      return undefined;
    }
    this.queue.add(goOn);
    this.pace = Math.max(this.pace, Math.ceil((this.queue.size * INTERVAL_MS) / LONGEST_WAIT_MS));
    return () => {
      if (this.queue.delete(goOn)) goOn();
    };
  }

  /** From now on all go on at once, those that wait included. */
  end(): void {
    this.hasEnded = true;
    clearInterval(this.timer);
    this.release(this.queue.size);
  }

  private tick(): void {
    if (this.queue.size > 0) {
      this.release(this.pace);
      return;
    }
    this.pace = 1;
    this.free += 1;
    if (this.free < AT_ONCE) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private release(count: number): void {
    let released = 0;
    for (const goOn of this.queue) {
      if (released === count) return;
      released += 1;
      this.queue.delete(goOn);
      goOn();
    }
  }
}
