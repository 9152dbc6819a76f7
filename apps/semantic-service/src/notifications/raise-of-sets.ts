import { notification, type NotificationData, semanticNotificationsRaised } from '@loci/contracts';
import { execute, outboxHeaders, scopedManager, type Transaction } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { type Owner } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { RAISE_OF_SETS } from './raise-of-sets.sql.js';

type TypeOfSets = 'features.changed' | 'proposal.added' | 'dead_letter.added';

/** Something that happened in a set. */
export interface InSet<Type extends TypeOfSets> {
  readonly setUid: string;
  /** As clients get it; the id of the set is added. */
  readonly data: Omit<NotificationData[Type], 'set_id'>;
}

/** Tells clients, with the transaction, what happened in sets of one owner. */
export async function raiseOfSets<Type extends TypeOfSets>(
  type: Type,
  owner: Owner,
  happened: readonly InSet<Type>[],
  tx: Transaction,
): Promise<void> {
  if (happened.length === 0) return;
  const raised = happened.map(({ setUid, data }) => {
    // the statement puts the id in
    const known = { ...data, set_id: '' } as unknown as NotificationData[Type];
    return { ...notification(uuidv7(), type, owner, known), setUid };
  });
  const values = [
    semanticNotificationsRaised.subject,
    JSON.stringify(outboxHeaders()),
    JSON.stringify(raised),
  ];
  await execute(await scopedManager(tx, rowsIn(owner)), RAISE_OF_SETS, values);
}
