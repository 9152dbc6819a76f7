import { type AuditRecord } from '@loci/contracts';

/** A record of the audit as a gateway makes it, of an add that was answered with 200. */
export const auditRecord = (fields: Partial<AuditRecord> & Pick<AuditRecord, 'id'>): AuditRecord => ({
  at: '2026-01-02T00:00:00.000Z',
  requestId: 'r',
  actorKind: 'api-key',
  actor: 'k',
  operation: 'POST /api/v2/memories',
  resources: [],
  status: 200,
  ...fields,
});
