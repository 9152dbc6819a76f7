import { ForeignKey } from 'typeorm';
import { IndexBacklogEntity } from './index-backlog.entity.js';
import { IndexCollectionEntity } from './index-collection.entity.js';
import { IndexVersionEntity } from './index-version.entity.js';
import { WordStatisticsEntity } from './word-statistics.entity.js';

/**
 * The entities of the tables of `createIndexVersionTables`, `createIndexBacklog` and `createWordStatistics`, for a service whose
 * vectors belong to these owners. A process has one kind of owner.
 */
export function indexEntities(owner: () => new () => { uid: string }) {
  for (const [table, entity] of [
    ['index_spaces', IndexVersionEntity],
    ['word_statistics', WordStatisticsEntity],
  ] as const) {
    ForeignKey(owner, { name: `${table}_owner_uid_fkey`, onDelete: 'CASCADE' })(entity.prototype, 'ownerUid');
  }
  return [IndexBacklogEntity, IndexCollectionEntity, IndexVersionEntity, WordStatisticsEntity];
}
