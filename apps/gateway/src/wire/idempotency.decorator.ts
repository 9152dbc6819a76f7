import { createHash } from 'node:crypto';
import { type IdempotencyToken, invalid } from '@loci/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { canonicalJson } from './json/canonical-json.js';

const HEADER = 'idempotency-key';
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request with the fingerprint of its body; undefined when the client sent none. */
export const Idempotency = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readIdempotency(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The same for routes whose path says what the body means: the fingerprint covers both. */
export const RouteIdempotency = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { headers, url, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return readIdempotency({ headers, body: [url, body ?? null] });
});

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
