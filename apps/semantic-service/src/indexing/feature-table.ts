import { IndexedTable } from '@loci/indexing';
import { ROWS_OF_ALL, type RowScope } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { POINT_VERSION_SQL, REVISIONS } from './feature-points.js';

/** Features are searched by set, and a set is re-embedded as one. */
export class FeatureTable extends IndexedTable {
  override readonly schema = SCHEMA;
  override readonly name = 'features';
  override readonly ownerColumn = 'set_uid';
  override readonly belongs = 'deleted_at IS NULL';
  override readonly waitsSince = 'updated_at';
  override readonly oldestWaiting = `SELECT min(updated_at) FROM ${SCHEMA}.features WHERE indexed_at IS NULL AND deleted_at IS NULL`;
  override readonly pointVersion = POINT_VERSION_SQL;
  override readonly versionsPerRecipe = REVISIONS;
  override readonly owners = `
    SELECT sets.uid, sets.org_id, coalesce(embedder_name, '') AS embedder
    FROM ${SCHEMA}.sets LEFT JOIN ${SCHEMA}.projects ON projects.uid = sets.project_uid
    WHERE sets.project_uid IS NULL OR projects.state = 'open'`;

  /** The uid of a set tells nothing of its tenant; the caller has it from a query that does. */
  override scopeOf(): RowScope {
    return ROWS_OF_ALL;
  }
}
