import { ForeignKey } from 'typeorm';
import { IndexCollectionEntity } from './index-collection.entity.js';
import { IndexVersionEntity } from './index-version.entity.js';

/**
 * The entities of the tables of `createIndexVersionTables`, for a service whose vectors belong to these owners. A process
 * has one kind of owner.
 */
export function indexEntities(owner: () => new () => { uid: string }) {
  ForeignKey(owner, { name: 'index_spaces_owner_uid_fkey', onDelete: 'CASCADE' })(
    IndexVersionEntity.prototype,
    'ownerUid',
  );
  return [IndexCollectionEntity, IndexVersionEntity];
}
