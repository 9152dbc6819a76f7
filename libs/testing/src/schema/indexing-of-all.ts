/**
 * Statements of `libs/indexing` that work on the rows of all owners, in whichever service; and why. The specs of the schemas
 * of both services say which others do.
 */
export const INDEXING_OF_ALL = {
  'the comparison with Qdrant goes by uid, as Qdrant lists its points': [
    'content/items-from.sql.ts',
    'content/row-versions.sql.ts',
    'content/uid-range.sql.ts',
  ],
  'a collection of Qdrant that is lost': [
    'content/holds-more-than.sql.ts',
    'content/mark-all-lost.sql.ts',
    'content/mark-lost.sql.ts',
    'index-versions/list-collections.sql.ts',
    'index-versions/restart-building.sql.ts',
  ],
  'a metric of what waits': ['content/read-backlog.sql.ts'],
} as const;
