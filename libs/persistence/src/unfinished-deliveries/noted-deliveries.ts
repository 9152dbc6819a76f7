import { type SuspectMessage, type Suspicion, UnfinishedDeliveries } from '@loci/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { beginDeliveries } from './begin-deliveries.sql.js';
import { beginDeliveryAgain } from './begin-delivery-again.sql.js';
import { takeBackDeliveries } from './take-back-deliveries.sql.js';

/** Notes in the service's own schema which messages its consumers have begun to handle. */
@Injectable()
export class NotedDeliveries extends UnfinishedDeliveries {
  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: PersistenceOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly letters: DeadLetters,
  ) {
    super();
  }

  override async begin(consumer: string, messages: readonly SuspectMessage[]): Promise<readonly Suspicion[]> {
    const ids = messages.map(({ id }) => id);
    const fingerprints = messages.map(({ fingerprint }) => fingerprint);
    const statement = beginDeliveries(this.options.schema);
    const rows = await this.unitOfWork.execute(statement, [consumer, ids, fingerprints]);
    return rows.map((row) => ({
      id: row.message_id,
      isUnfinished: row.is_unfinished,
      isSetAside: row.is_set_aside,
    }));
  }

  override async beginAgain(consumer: string, id: string): Promise<number> {
    const [row] = await this.unitOfWork.execute(beginDeliveryAgain(this.options.schema), [consumer, id]);
    return (row?.attempts ?? 1) - 1;
  }

  override async takeBack(consumer: string, ids: readonly string[]): Promise<void> {
    await this.unitOfWork.execute(takeBackDeliveries(this.options.schema), [consumer, ids]);
  }

  override async setAside(consumer: string): Promise<readonly string[]> {
    return (await this.letters.setAside([consumer])).map(({ fingerprint }) => fingerprint);
  }
}
