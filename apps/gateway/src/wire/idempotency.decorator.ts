import { createHash } from 'node:crypto';
import { type IdempotencyToken, invalid } from '@loci/contracts';
import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { canonicalJson } from './json/canonical-json.js';

const HEADER = 'idempotency-key';
type Asked = Pick<FastifyRequest, 'body' | 'params' | 'query'>;

/** As a `Caller` names it. */
interface Bound {
  readonly producer?: string | undefined;
}

type Keyed = Pick<FastifyRequest, 'headers'> & { readonly caller?: Bound | undefined };

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request with the fingerprint of what it asks for; undefined when the client sent none. */
export const Idempotency = createParamDecorator(idempotencyOf);

/** What `Idempotency` gives a handler: code that inspects the parameters of a route recognizes it by this function. */
export function idempotencyOf(_: unknown, context: ExecutionContext): IdempotencyToken | undefined {
  return readIdempotency(context.switchToHttp().getRequest<FastifyRequest>());
}

/** @throws AppError `invalid_request` when the key is not 1 to 255 printable ASCII characters */
export function readIdempotency({ headers, caller, ...asked }: Asked & Keyed): IdempotencyToken | undefined {
  const key = readIdempotencyKey({ headers, caller });
  return key === undefined ? undefined : { key, fingerprint: fingerprintOf(asked) };
}

/** @throws AppError as `readIdempotency` */
export function readIdempotencyKey({ headers, caller }: Keyed): string | undefined {
  const key = headers[HEADER];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && PRINTABLE.test(key)) return ownKey(key, caller?.producer);
  throw invalid('invalid_request', [
    {
      loc: ['header', HEADER],
      msg: 'String should be 1 to 255 printable ASCII characters',
      type: 'string_pattern_mismatch',
    },
  ]);
}

/** A caller who speaks for one producer has keys of its own: it neither takes nor repeats the answers of others. */
const ownKey = (key: string, producer: string | undefined): string =>
  producer === undefined ? key : `bound ${digestOf(canonicalJson([producer, key]))}`;

/** The key of one part of a request that does several things: another one for each, the same when it is repeated. */
export const keyOfPart = (key: string, part: string | number): string =>
  `part ${digestOf(canonicalJson([part, key]))}`;

/** @param asked what one request under a key asks for, as JSON */
export const tokenFor = (key: string, asked: unknown): IdempotencyToken => ({
  key,
  fingerprint: digestOf(canonicalJson(asked)),
});

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a path and a query name is as much a part of the request as its body. */
const fingerprintOf = ({ body, params, query }: Asked): string => {
  const named = [params, query].map((part) => (isFilled(part) ? canonicalJson(part) : '')).join('');
  return digestOf(`${named}${canonicalJson(body ?? null)}`);
};

const isFilled = (part: unknown): part is JsonObject => isJsonObject(part) && Object.keys(part).length > 0;
