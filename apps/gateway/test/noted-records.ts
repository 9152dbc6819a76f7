import { AuditRecord, recordAuditLater } from '@loci/contracts';
import { parseShape } from '@loci/messaging';
import { type FakeEvents } from './fake-events.js';

/** The audit records that a gateway sent after its answers. */
export const notedRecords = (events: FakeEvents): readonly AuditRecord[] =>
  events
    .sent(recordAuditLater)
    .flatMap(({ records }) => records.map((record) => parseShape(AuditRecord, record)));
