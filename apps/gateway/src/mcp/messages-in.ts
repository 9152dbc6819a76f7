import { invalid } from '@loci/contracts';
import { isJsonObject } from '@loci/platform/schema';

/**
 * Fields and items of a body, without the arguments of tools, which are checked by the tool itself. The SDK checks the rest
 * without a pause, and notes every fault of it before it tells the first. Clients send some dozens.
 */
const MAX_VALUES = 1000;

/**
 * How many messages a body of JSON-RPC has.
 * @throws AppError `invalid_request` when a batch has none, more than allowed, or two requests of one id: only one of those
 *   would be answered; and when messages say more than the protocol ever needs
 */
export function messagesIn(body: unknown, max: number): number {
  const length = Array.isArray(body) ? lengthOf(body, max) : 1;
  if (valuesIn(body) > MAX_VALUES) {
    throw refused(
      'too_long',
      `Input should have at most ${MAX_VALUES} fields and items beside arguments of tools`,
    );
  }
  return length;
}

function lengthOf(body: readonly unknown[], max: number): number {
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

/** Counts no further than needed, and without recursion. */
function valuesIn(body: unknown): number {
  const left: unknown[] = [body].flat().map(withoutArguments);
  let count = 0;
  while (left.length > 0 && count <= MAX_VALUES) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += inner.length;
    if (count <= MAX_VALUES) left.push(...inner);
  }
  return count;
}

function withoutArguments(message: unknown): unknown {
  if (!isJsonObject(message) || message['method'] !== 'tools/call') return message;
  const { params } = message;
  return isJsonObject(params) && isJsonObject(params['arguments'])
    ? { ...message, params: { ...params, arguments: {} } }
    : message;
}

const refused = (type: string, msg: string, ...path: (string | number)[]): Error =>
  invalid('invalid_request', [{ loc: ['body', ...path], msg, type }]);
