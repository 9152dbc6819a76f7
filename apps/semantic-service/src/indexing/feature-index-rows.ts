import { type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';
import { type IndexedFeature } from './feature-points.js';

/** The columns of `INDEXED_COLUMNS`. */
export const INDEXED_ROW = rowColumns({
  uid: 'uuid',
  subject: 'text?',
  category: 'text',
  tag: 'text',
  name: 'text',
  value: 'text',
  revision: 'int4',
  created_at: narrowed<Instant>('text'),
});

/** Of `FROM_INDEXED`: what is embedded, and what points carry. */
export const INDEXED_COLUMNS = `features.uid, features.subject, features.category, features.tag, features.name, features.value,
  features.revision, ${instantText('features.created_at')} AS created_at`;

export const FROM_INDEXED = `FROM ${SCHEMA}.features`;

export const toIndexed = (row: RowOf<typeof INDEXED_ROW>): IndexedFeature => ({
  uid: row.uid,
  subject: row.subject ?? undefined,
  category: row.category,
  tag: row.tag,
  name: row.name,
  value: row.value,
  revision: row.revision,
  createdAt: row.created_at,
});
