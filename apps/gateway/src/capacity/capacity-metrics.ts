import { type Metrics } from '@loci/platform';
import { type Level } from './shares.js';

export interface CapacityInUse {
  readonly inFlight: number;
  readonly waiting: number;
  readonly handlingBytes: number;
  readonly uploads: number;
  readonly receivingBytes: number;
}

/** Why a request was turned away: bodies, answers of services, the queue, or the time that it waited. */
export type RefusalReason = 'uploads' | 'upload_bytes' | 'reply_bytes' | 'queue_full' | 'queue_wait';

/** How much the latest wait counts in the typical one. */
const LATEST = 0.2;

/** What an operator sees of the capacity of a gateway. */
export class CapacityMetrics {
  private readonly waits;
  private readonly refusals;
  private typicalWaitSeconds = 0;

  constructor(metrics: Metrics, inUse: () => CapacityInUse) {
    metrics.gauge('http_requests_in_flight', 'Requests that are being worked on.', [], (gauge) =>
      gauge.set(inUse().inFlight),
    );
    metrics.gauge('http_requests_waiting', 'Requests that wait for their turn.', [], (gauge) =>
      gauge.set(inUse().waiting),
    );
    metrics.gauge(
      'http_handling_bytes',
      'Memory set aside for requests that are being worked on, and for their answers.',
      [],
      (gauge) => gauge.set(inUse().handlingBytes),
    );
    metrics.gauge('http_uploads_open', 'Bodies that are on their way.', [], (gauge) =>
      gauge.set(inUse().uploads),
    );
    metrics.gauge(
      'http_receiving_bytes',
      'Bytes of bodies that are on their way or wait for their turn.',
      [],
      (gauge) => gauge.set(inUse().receivingBytes),
    );
    this.waits = metrics.histogram(
      'http_request_wait_seconds',
      'Time that a request waited for its turn, of those that had to wait.',
    );
    this.refusals = metrics.counter(
      'http_capacity_refusals_total',
      'Requests that were turned away, by what there was too much of, and whose share was used up.',
      ['reason', 'share'],
    );
  }

  /** A number of seconds after which trying again makes sense: about what others wait. */
  get retryAfterSeconds(): number {
    return Math.min(30, Math.max(1, Math.ceil(this.typicalWaitSeconds)));
  }

  waited(seconds: number): void {
    this.waits.observe({}, seconds);
    this.typicalWaitSeconds += (seconds - this.typicalWaitSeconds) * LATEST;
  }

  refused(reason: RefusalReason, share: Level): void {
    this.refusals.inc({ reason, share });
  }
}
