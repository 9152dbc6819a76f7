import { rowColumns, type RowOf } from '@loci/persistence';
import { type WaitingMessage } from './waiting-message.js';

/** The columns of `MESSAGE_COLUMNS`. */
export const MESSAGE_ROW = rowColumns({
  episode_uid: 'uuid',
  org_id: 'text',
  project_id: 'text',
  project_uid: 'uuid',
});

export const MESSAGE_COLUMNS = 'episode_uid, org_id, project_id, project_uid';

export const toWaiting = (row: RowOf<typeof MESSAGE_ROW>): WaitingMessage => ({
  episodeUid: row.episode_uid,
  tenant: { orgId: row.org_id, projectId: row.project_id },
  projectUid: row.project_uid,
});
