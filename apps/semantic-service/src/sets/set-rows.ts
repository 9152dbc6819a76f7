import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { type SetKind } from './set-identity.js';
import { type MemorySet, type SetType } from './set.js';

export const SET_COLUMNS = 'sets.uid, sets.id, sets.org_id, sets.project_uid, sets.kind, sets.tag_values';

/** The columns of `SET_COLUMNS`. */
export const SET_ROW = rowColumns({
  uid: 'uuid',
  id: 'text',
  org_id: 'text',
  project_uid: 'uuid?',
  kind: narrowed<SetKind>('text'),
  tag_values: narrowed<Readonly<Record<string, string>>>('jsonb'),
});

export const toSetOfRow = (row: RowOf<typeof SET_ROW>): MemorySet => ({
  uid: row.uid,
  id: row.id,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  kind: row.kind,
  tags: row.tag_values,
});

export const SET_TYPE_COLUMNS = 'uid, org_id, project_uid, tags, name, description';

/** The columns of `SET_TYPE_COLUMNS`. */
export const SET_TYPE_ROW = rowColumns({
  uid: 'uuid',
  org_id: 'text',
  project_uid: 'uuid?',
  tags: 'text[]',
  name: 'text?',
  description: 'text?',
});

export const toSetType = (row: RowOf<typeof SET_TYPE_ROW>): SetType => ({
  uid: row.uid,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  tags: row.tags,
  name: row.name ?? undefined,
  description: row.description ?? undefined,
});

/** Holds for a set and the type that it is of. */
export const IS_OF_TYPE = `set_types.org_id = sets.org_id
  AND set_types.project_uid IS NOT DISTINCT FROM sets.project_uid AND set_types.tags = sets.tags`;
