import { type AccessScope } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { type ApiKey } from './api-key.js';

export const API_KEY_COLUMNS = `id, name, hint, scopes, org_id AS "orgId", project_id AS "projectId", producer,
  created_at AS "createdAt", expires_at AS "expiresAt", rotated_at AS "rotatedAt",
  former_expires_at AS "formerExpiresAt"`;

/** The columns of `API_KEY_COLUMNS`. */
export const API_KEY_ROW = rowColumns({
  id: 'uuid',
  name: 'text',
  hint: 'text',
  scopes: narrowed<AccessScope[]>('text[]'),
  orgId: 'text?',
  projectId: 'text?',
  producer: 'text?',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz?',
  rotatedAt: 'timestamptz?',
  formerExpiresAt: 'timestamptz?',
});

/** @param row what `API_KEY_COLUMNS` answers, or the entity */
export const toApiKey = (row: RowOf<typeof API_KEY_ROW>): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  bounds: {
    ...(row.orgId !== null && { orgId: row.orgId }),
    ...(row.projectId !== null && { projectId: row.projectId }),
  },
  producer: row.producer ?? undefined,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt ?? undefined,
  rotatedAt: row.rotatedAt ?? undefined,
  formerExpiresAt: row.formerExpiresAt ?? undefined,
});
