import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/**
 * Which of the next owners are to use another embedder than they do, or are about to. It reads no more owners than it is told to, so
 * that a look costs the same at any number of them. One row without an owner when none of them is to; no row when there is none.
 *
 * Parameters: the models as JSON, the name of the default one, the owner that it begins behind, how many to look at.
 */
export const dueReembeddings = (table: IndexedTable) =>
  dueAmong(table, 'owner_uid > $3 ORDER BY owner_uid LIMIT $4');

/** The same of some owners. Parameters: the models as JSON, the name of the default one, the owners. */
export const dueReembeddingsOf = (table: IndexedTable) => dueAmong(table, 'owner_uid = ANY ($3::uuid[])');

/** @param which condition on the owners that are looked at, and what follows it */
function dueAmong(table: IndexedTable, which: string) {
  const { indexVersions } = tablesOf(table);
  return sql({
    text: `WITH looked AS MATERIALIZED (
             SELECT owner_uid, fingerprint, embedder FROM ${indexVersions}
             WHERE state = 'active' AND ${which}
           ), due AS (
             SELECT active.owner_uid, model.embedder, model.fingerprint, model.dimensions
             FROM looked AS active
             -- one by one: a join of all owners would be read whole
             JOIN LATERAL (SELECT embedder FROM (${table.owners}) AS owner WHERE owner.uid = active.owner_uid OFFSET 0) AS owner ON true
             LEFT JOIN ${indexVersions} AS building ON building.owner_uid = active.owner_uid AND building.state = 'building'
             JOIN json_to_recordset($1::json) AS model(embedder text, fingerprint text, dimensions int)
               ON model.embedder = coalesce(nullif(owner.embedder, ''), $2)
             WHERE (coalesce(building.fingerprint, active.fingerprint), coalesce(building.embedder, active.embedder))
                   IS DISTINCT FROM (model.fingerprint, model.embedder)
           )
           SELECT last.owner_uid AS last, due.*
           FROM (SELECT owner_uid FROM looked ORDER BY owner_uid DESC LIMIT 1) AS last LEFT JOIN due ON true`,
    row: { last: 'uuid', owner_uid: 'uuid?', embedder: 'text?', fingerprint: 'text?', dimensions: 'int4?' },
  });
}
