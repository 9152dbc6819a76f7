import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Minutes } from './minutes.js';

/** Seconds; from a cache hit to a slow model. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * How often the delay of the event loop is looked at: what is measured begins there. The default of 10 ms takes 0.2 % of a
 * core in every idle process.
 */
const EVENT_LOOP_LOOK_MS = 100;

/** A line with the value that a gauge has whose reading failed: NaN. */
const UNKNOWN_VALUE = /^[^#\n]+ NaN\n?/gim;

/** The Prometheus metrics of one process. Asking for a name twice gives the same metric. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  /** What the gateways tell of the last hour, of all processes together. */
  readonly minutes = new Minutes();
  private readonly registry = new Registry();
  /** The page of those who have asked in this turn of the event loop. */
  private next: Promise<string> | undefined;

  constructor(readonly service: string) {
    this.registry.setDefaultLabels({ service });
  }

  /** Adds the metrics of the Node process itself: memory, event loop, garbage collection. */
  collectProcessMetrics(): void {
    const eventLoopMonitoringPrecision = EVENT_LOOP_LOOK_MS;
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision });
  }

  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return (
      this.existing(name, Counter<Label>) ??
      new Counter({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /** @param collect called at each scrape to set the value; NaN when it cannot tell it */
  gauge<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const found = this.existing(name, Gauge<Label>);
    if (found) return found;
    return new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect && {
        collect(this: Gauge<Label>) {
          return collect(this);
        },
      }),
    });
  }

  /** A histogram of seconds. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    buckets: readonly number[] = LATENCY_BUCKETS,
  ): Histogram<Label> {
    return (
      this.existing(name, Histogram<Label>) ??
      new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] })
    );
  }

  /**
   * Everything in the Prometheus text format. What is not known at the moment is absent, so that an alert can notice it.
   * Those who ask within one turn of the event loop share a page, which takes milliseconds: strangers may ask, too.
   */
  render(): Promise<string> {
    this.next ??= this.renderNext();
    return this.next;
  }

  private async renderNext(): Promise<string> {
    await turnOfLoop();
    this.next = undefined;
    const text = await this.registry.metrics();
    return text.replaceAll(UNKNOWN_VALUE, '');
  }

  private existing<T>(name: string, type: abstract new (...args: never[]) => T): T | undefined {
    const metric: unknown = this.registry.getSingleMetric(name);
    return metric instanceof type ? metric : undefined;
  }
}
