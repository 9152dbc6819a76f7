import { type ResourceKind } from '@loci/contracts';
import { type Metrics } from '@loci/platform';
import { type ModelUsage } from '../language-model.js';

type Labels = 'kind' | 'name';
const LABELS = ['kind', 'name'] as const;
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** What the calls of one resource did and cost. */
export class CallMetrics {
  private readonly calls;
  private readonly seconds;
  private readonly tokens;
  private readonly cached;
  private readonly retries;
  private readonly circuit;
  private readonly pauses;
  private readonly labels: Readonly<Record<Labels, string>>;

  constructor(
    private readonly metrics: Metrics,
    { kind, name }: { readonly kind: ResourceKind; readonly name: string },
  ) {
    this.labels = { kind, name };
    this.calls = metrics.counter('model_calls_total', 'Calls of models by outcome.', [...LABELS, 'outcome']);
    this.seconds = metrics.histogram(
      'model_call_seconds',
      'Time of a call, retries included.',
      LABELS,
      SECONDS,
    );
    this.tokens = metrics.counter('model_tokens_total', 'Tokens as providers count them.', [
      ...LABELS,
      'direction',
    ]);
    this.cached = metrics.counter(
      'model_cached_tokens_total',
      'Tokens of the input that the provider had kept from a former request.',
      LABELS,
    );
    this.retries = metrics.counter('model_retries_total', 'Further attempts after a failure.', LABELS);
    this.circuit = metrics.gauge(
      'model_circuit_open',
      '1 while a model is left alone after failures.',
      LABELS,
    );
    this.circuit.set(this.labels, 0);
    this.pauses = metrics.counter(
      'model_pause_requests_total',
      'Replies by which a provider asked for a pause, of all calls of the model.',
      LABELS,
    );
  }

  /** @param outcome `ok`, `aborted` or the kind of failure */
  called(outcome: string, seconds: number): void {
    this.calls.inc({ ...this.labels, outcome });
    this.seconds.observe(this.labels, seconds);
    this.metrics.minutes.count('model_calls');
    if (outcome !== 'ok' && outcome !== 'aborted') this.metrics.minutes.count('failed_model_calls');
  }

  used({ inputTokens, cachedTokens = 0, outputTokens }: ModelUsage): void {
    this.tokens.inc({ ...this.labels, direction: 'in' }, inputTokens);
    this.cached.inc(this.labels, cachedTokens);
    this.tokens.inc({ ...this.labels, direction: 'out' }, outputTokens);
    this.metrics.minutes.count('input_tokens', inputTokens);
    this.metrics.minutes.count('output_tokens', outputTokens);
  }

  retried(): void {
    this.retries.inc(this.labels);
  }

  paused(): void {
    this.pauses.inc(this.labels);
  }

  circuitIsOpen(isOpen: boolean): void {
    this.circuit.set(this.labels, isOpen ? 1 : 0);
  }
}
