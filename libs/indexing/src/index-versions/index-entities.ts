import { ForeignKey } from 'typeorm';
import { IndexBacklogEntity } from './index-backlog.entity.js';
import { IndexCollectionEntity } from './index-collection.entity.js';
import { IndexVersionEntity } from './index-version.entity.js';

/**
 * The entities of the tables of `createIndexVersionTables` and `createIndexBacklog`, for a service whose vectors belong to these owners. A process
 * has one kind of owner.
 */
export function indexEntities(owner: () => new () => { uid: string }) {
  ForeignKey(owner, { name: 'index_spaces_owner_uid_fkey', onDelete: 'CASCADE' })(
    IndexVersionEntity.prototype,
    'ownerUid',
  );
  return [IndexBacklogEntity, IndexCollectionEntity, IndexVersionEntity];
}
