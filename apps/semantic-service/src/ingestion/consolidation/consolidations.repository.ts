import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type FeatureGroup, partitionKey } from '../../features/partition.js';
import { ConsolidationEntity } from './consolidation.entity.js';
import { NOTE_CONSOLIDATION } from './note-consolidation.sql.js';

/** The features of a subject in a partition. */
type Group = Pick<FeatureGroup, 'subject' | 'partition'>;

const keyOf = ({ subject, partition }: Group): string =>
  subject === undefined ? partitionKey(partition) : `${partitionKey(partition)}/${subject}`;

/** What there was when a group was last consolidated. */
export interface LastConsolidation {
  readonly features: number;
  /** Undefined: it never was. */
  readonly at?: Date | undefined;
}

/** How many features subjects had in each partition when they were last consolidated. */
@Injectable()
export class ConsolidationsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async last(setUid: string, groups: readonly Group[]): Promise<(group: Group) => LastConsolidation> {
    const partitionKey = In(groups.map(keyOf));
    const rows = await this.unitOfWork.single(
      (manager) => manager.findBy(ConsolidationEntity, { setUid, category: '', tag: '', partitionKey }),
      ROWS_OF_ALL,
    );
    const last = new Map<string, LastConsolidation>(rows.map((row) => [row.partitionKey, row]));
    return (group) => last.get(keyOf(group)) ?? { features: 0 };
  }

  async note(setUid: string, group: FeatureGroup, tx: Transaction): Promise<void> {
    const values = [setUid, group.count, keyOf(group)];
    await this.unitOfWork.execute(NOTE_CONSOLIDATION, values, { tx, scope: ROWS_OF_ALL });
  }
}
