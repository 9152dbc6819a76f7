import { invalid } from '@loci/contracts';
import { isJsonObject } from '@loci/platform/schema';

/**
 * How many messages a body of JSON-RPC has.
 * @throws AppError `invalid_request` when a batch has none, more than allowed, or two requests of one id: only one of those
 *   would be answered
 */
export function messagesIn(body: unknown, max: number): number {
  if (!Array.isArray(body)) return 1;
  const { length } = body;
  if (length === 0) throw refused('too_short', 'List should have at least 1 item after validation, not 0');
  if (length > max) {
    throw refused('too_long', `List should have at most ${max} items after validation, not ${length}`);
  }
  const repeated = indexOfRepeatedId(body);
  if (repeated !== undefined) {
    throw refused('value_error', 'Each request of a batch should have an id of its own', repeated, 'id');
  }
  return length;
}

function indexOfRepeatedId(batch: readonly unknown[]): number | undefined {
  const seen = new Set<unknown>();
  for (const [index, message] of batch.entries()) {
    // what has no id is no request, and not answered
    const id = isJsonObject(message) ? message['id'] : undefined;
    if (id === undefined) continue;
    if (seen.has(id)) return index;
    seen.add(id);
  }
  return undefined;
}

const refused = (type: string, msg: string, ...path: (string | number)[]): Error =>
  invalid('invalid_request', [{ loc: ['body', ...path], msg, type }]);
