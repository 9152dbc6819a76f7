import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** Parameters: the models as JSON, the name of the default one, how many at most. */
export function dueReembeddings(table: IndexedTable) {
  const { indexVersions } = tablesOf(table);
  return sql({
    text: `SELECT owner.uid AS owner_uid, model.embedder, model.fingerprint, model.dimensions
           FROM (${table.owners}) AS owner
           JOIN ${indexVersions} AS active ON active.owner_uid = owner.uid AND active.state = 'active'
           LEFT JOIN ${indexVersions} AS building ON building.owner_uid = owner.uid AND building.state = 'building'
           JOIN json_to_recordset($1::json) AS model(embedder text, fingerprint text, dimensions int)
             ON model.embedder = coalesce(nullif(owner.embedder, ''), $2)
           WHERE (coalesce(building.fingerprint, active.fingerprint), coalesce(building.embedder, active.embedder))
                 IS DISTINCT FROM (model.fingerprint, model.embedder)
           LIMIT $3`,
    row: { owner_uid: 'uuid', embedder: 'text', fingerprint: 'text', dimensions: 'int4' },
  });
}
