import { IndexedTable } from '@loci/indexing';
import { type RowScope, rowsOf } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { POINT_VERSION } from './episode-points.js';

/** Episodes are searched by project, and a project is re-embedded as one. */
export class EpisodeTable extends IndexedTable {
  override readonly schema = SCHEMA;
  override readonly name = 'episodes';
  override readonly ownerColumn = 'project_uid';
  override readonly belongs = BELONGS;
  override readonly waitingSince = 'added_at';
  override readonly pointVersion = String(POINT_VERSION);
  override readonly owners = `SELECT uid, embedder FROM ${SCHEMA}.projects WHERE state = 'open'`;

  override scopeOf(projectUid: string): RowScope {
    return rowsOf(projectUid);
  }
}
