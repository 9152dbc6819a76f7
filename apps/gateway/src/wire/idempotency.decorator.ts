import { createHash } from 'node:crypto';
import { type IdempotencyToken, invalid } from '@loci/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { canonicalJson } from './json/canonical-json.js';

const HEADER = 'idempotency-key';
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request with the fingerprint of its body; undefined when the client sent none. */
export const Idempotency = createParamDecorator(idempotencyOf);

/** What `Idempotency` gives a handler: whoever looks at the parameters of a route knows it by this function. */
export function idempotencyOf(_: unknown, context: ExecutionContext): IdempotencyToken | undefined {
  return readIdempotency(context.switchToHttp().getRequest<FastifyRequest>());
}

/** @throws AppError `invalid_request` when the key is not 1 to 255 printable ASCII characters */
export function readIdempotency({
  headers,
  body,
}: Pick<FastifyRequest, 'headers' | 'body'>): IdempotencyToken | undefined {
  const key = headers[HEADER];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && PRINTABLE.test(key)) return { key, fingerprint: fingerprintOf(body) };
  throw invalid('invalid_request', [
    {
      loc: ['header', HEADER],
      msg: 'String should be 1 to 255 printable ASCII characters',
      type: 'string_pattern_mismatch',
    },
  ]);
}

const fingerprintOf = (body: unknown): string =>
  createHash('sha256').update(canonicalJson(body)).digest('hex');
