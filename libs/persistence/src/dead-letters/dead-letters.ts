import { type DeadLetter, DeadLetterSink } from '@loci/messaging';
import { Metrics } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { countDeadLetters } from './count-dead-letters.sql.js';
import { findSetAside } from './find-set-aside.sql.js';
import { storeDeadLetter } from './store-dead-letter.sql.js';

/** Stores, in the service's own schema, the messages that could not be handled. */
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
      'Messages that could not be handled and were neither replayed nor dropped, in all processes together.',
      ['consumer'],
      async (gauge) => {
        // while the database is down the other metrics are wanted all the more
        const counts = await unitOfWork.execute(countDeadLetters(options.schema)).catch(() => []);
        gauge.reset();
        for (const { consumer, letters } of counts) gauge.set({ consumer }, letters);
      },
    );
  }

  override async store(letter: DeadLetter): Promise<void> {
    const { stream, consumer, subject, messageId, payload, reason, deliveries, fingerprint } = letter;
    const texts = [stream, consumer, subject, messageId, payload, reason].map(storable);
    const values = [uuidv7(), ...texts, deliveries, fingerprint];
    await this.unitOfWork.execute(storeDeadLetter(this.options.schema), values);
  }

  /** What ended the process of one of these consumers too often, and was neither replayed nor dropped. */
  async setAside(
    consumers: readonly string[],
  ): Promise<readonly { readonly fingerprint: string; readonly payload: string }[]> {
    const letters = await this.unitOfWork.execute(findSetAside(this.options.schema), [consumers]);
    return letters.flatMap(({ fingerprint, payload }) =>
      fingerprint === null ? [] : { fingerprint, payload },
    );
  }
}

/** PostgreSQL has no text with NUL, and a letter must never be refused. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');
