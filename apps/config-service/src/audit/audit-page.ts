import { type AuditPage, type AuditRecord } from '@loci/contracts';
import { firstWithin } from '@loci/platform';

/** Half of the largest message. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * The first of these records, as many as fit into one answer.
 * @param found one more than the page may have, if there are as many
 * @param limit records on the page at most
 * @param horizon the oldest record that was looked at, if there are older ones
 */
export function auditPage(found: readonly AuditRecord[], limit: number, horizon?: string): AuditPage {
  const records = firstWithin(found, {
    maxItems: limit,
    maxSize: MAX_PAGE_BYTES,
    sizeOf: (record) => Buffer.byteLength(JSON.stringify(record)),
  });
  const next = records.length < found.length ? records.at(-1)?.id : horizon;
  return { records, ...(next !== undefined && { next }) };
}
