import { IndexedTable } from '@loci/indexing';
import { type RowScope, rowsOf } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { AWAITS_VECTOR, BELONGS } from '../episodes/adjacent-episodes.js';
import { POINT_VERSION_SQL } from './episode-points.js';

const WAITING = `${SCHEMA}.episodes WHERE ${AWAITS_VECTOR}`;

/** Episodes are searched by project, and a project is re-embedded as one. */
export class EpisodeTable extends IndexedTable {
  override readonly schema = SCHEMA;
  override readonly name = 'episodes';
  override readonly ownerColumn = 'project_uid';
  override readonly belongs = BELONGS;
  override readonly waitsSince = 'added_at';
  override readonly oldestWaiting = ['IS NULL', `> '-infinity'`]
    .map((wasOrdered) => `SELECT min(added_at) FROM ${WAITING} AND ordered_at ${wasOrdered}`)
    .reduce((first, second) => `SELECT least((${first}), (${second}))`);
  override readonly pointVersion = POINT_VERSION_SQL;
  override readonly versionsPerRecipe = 1;
  override readonly owners = `SELECT uid, org_id, embedder FROM ${SCHEMA}.projects WHERE state = 'open'`;

  override scopeOf(projectUid: string): RowScope {
    return rowsOf(projectUid);
  }
}
