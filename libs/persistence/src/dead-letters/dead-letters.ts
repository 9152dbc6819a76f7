import { type DeadLetter, DeadLetterSink } from '@loci/messaging';
import { Metrics } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { qualified } from '../database/qualified-name.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Keeps, in the service's own schema, the messages that nobody could handle. */
@Injectable()
export class DeadLetters extends DeadLetterSink {
  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: PersistenceOptions,
    private readonly unitOfWork: UnitOfWork,
    metrics: Metrics,
  ) {
    super();
    metrics.gauge(
      'dead_letters_waiting',
      'Messages that nobody could handle and nobody has looked after, whichever process asks.',
      ['consumer'],
      async (gauge) => {
        // while the database is down the other metrics are wanted all the more
        const counts = await this.counts().catch(() => []);
        gauge.reset();
        for (const { consumer, letters } of counts) gauge.set({ consumer }, letters);
      },
    );
  }

  override async store(letter: DeadLetter): Promise<void> {
    const { stream, consumer, subject, messageId, payload, reason, deliveries } = letter;
    const texts = [stream, consumer, subject, messageId, payload, reason].map(storable);
    await this.unitOfWork.single((manager) =>
      manager.query(
        `INSERT INTO ${qualified(this.options.schema, 'dead_letters')}
           (id, stream, consumer, subject, message_id, payload, reason, deliveries)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT dead_letters_once
         DO UPDATE SET reason = excluded.reason, deliveries = excluded.deliveries`,
        [uuidv7(), ...texts, deliveries],
      ),
    );
  }

  /** From the index of the constraint alone: what a letter holds is not read. */
  private counts(): Promise<{ consumer: string; letters: number }[]> {
    return this.unitOfWork.single((manager) =>
      manager.query<{ consumer: string; letters: number }[]>(
        `SELECT consumer, count(*)::int AS letters FROM ${qualified(this.options.schema, 'dead_letters')} GROUP BY consumer`,
      ),
    );
  }
}

/** PostgreSQL has no text with NUL, and a letter must never be refused. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');
