import { invalid } from '@loci/contracts';

/**
 * How many messages a body of JSON-RPC has.
 * @throws AppError `invalid_request` when a batch has more than allowed
 */
export function messagesIn(body: unknown, max: number): number {
  if (!Array.isArray(body)) return 1;
  if (body.length <= max) return Math.max(1, body.length);
  const msg = `List should have at most ${max} items after validation, not ${body.length}`;
  throw invalid('invalid_request', [{ loc: ['body'], msg, type: 'too_long' }]);
}
