import { type DeadLetter, DeadLetterSink } from '@loci/messaging';
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
  ) {
    super();
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
}

/** PostgreSQL has no text with NUL, and a letter must never be refused. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');
