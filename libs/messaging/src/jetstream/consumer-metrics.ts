import { type Metrics } from '@loci/platform';

const OUTCOMES = ['handled', 'retried', 'dead_lettered'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What one consumer counts. */
export class ConsumerMetrics {
  private readonly messages;
  private readonly fetched;
  private readonly seconds;

  constructor(
    metrics: Metrics,
    private readonly consumer: string,
  ) {
    this.messages = metrics.counter('consumer_messages_total', 'Messages by what became of them.', [
      'consumer',
      'outcome',
    ]);
    // an alert compares them: a series that is not there equals nothing
    for (const outcome of OUTCOMES) this.messages.inc({ consumer, outcome }, 0);
    this.fetched = metrics.gauge('consumer_messages_held', 'Messages fetched and not settled.', ['consumer']);
    this.seconds = metrics.histogram('consumer_batch_seconds', 'Time to handle a batch.', ['consumer']);
  }

  settled(outcome: Outcome): void {
    this.messages.inc({ consumer: this.consumer, outcome });
  }

  fetchedCount(count: number): void {
    this.fetched.set({ consumer: this.consumer }, count);
  }

  /** @returns to be called when the batch is done */
  startBatch(): () => void {
    return this.seconds.startTimer({ consumer: this.consumer });
  }
}
