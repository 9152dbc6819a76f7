import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { type Owner } from '../projects/project.js';
import { type AvailableCategory, type Category, type TagDescriptions } from './category.js';

export const CATEGORY_COLUMNS = 'uid, set_uid, set_type_uid, name, prompt, description, ttl_seconds';

/** The columns of `CATEGORY_COLUMNS`. */
export const CATEGORY_ROW = rowColumns({
  uid: 'uuid',
  set_uid: 'uuid?',
  set_type_uid: 'uuid?',
  name: 'text',
  prompt: 'text',
  description: 'text?',
  ttl_seconds: 'int4?',
});

/** With the tags of each. */
export const CATEGORY_SOURCE_ROW = rowColumns({ ...CATEGORY_ROW, tags: narrowed<TagDescriptions>('jsonb') });

export const OWNER_ROW = rowColumns({ org_id: 'text', project_uid: 'uuid?' });

export const toCategory = (row: RowOf<typeof CATEGORY_ROW>): Category => ({
  uid: row.uid,
  parent: row.set_uid === null ? { setTypeUid: row.set_type_uid ?? '' } : { setUid: row.set_uid },
  name: row.name,
  prompt: row.prompt,
  description: row.description ?? undefined,
  ttlSeconds: row.ttl_seconds ?? undefined,
});

export const toAvailable = (
  { uid, name, prompt, tags }: RowOf<typeof CATEGORY_SOURCE_ROW>,
  origin: 'set' | 'set_type',
): AvailableCategory => ({ uid, origin, name, prompt, tags });

export const toOwner = ({ org_id, project_uid }: RowOf<typeof OWNER_ROW>): Owner => ({
  orgId: org_id,
  projectUid: project_uid ?? undefined,
});
