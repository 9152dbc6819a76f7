import {
  ACCESS_SCOPES,
  type AccessBounds,
  API_KEY_NAME_MAX_CHARS,
  type ApiKey,
  type CreateApiKeyRequest,
  forbidden,
  type IdempotencyToken,
  invalid,
  type IssuedApiKey,
  MAX_ROTATION_GRACE_SECONDS,
  type RotateApiKeyRequest,
} from '@loci/contracts';
import {
  byDefault,
  filledText,
  integer,
  listOf,
  nullish,
  oneOf,
  optional,
  described,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { requireBounds } from '../access/authorization.js';
import { producerOfKey } from '../access/producers.js';
import { instantText, nullable } from '../wire/answers.js';
import { identifier } from '../wire/schema/identifier.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

/** The variable segment of its path. */
export const keyId = described(Type.String({ minLength: 1 }), 'Id of the key.', EXAMPLE_UID);

export class CreateKeyBody extends request('CreateKeySpec', {
  name: described(
    filledText(API_KEY_NAME_MAX_CHARS),
    'What the key is called, to tell it from others.',
    'travel agent, production',
  ),
  scopes: described(
    listOf(oneOf(ACCESS_SCOPES), { min: 1, max: ACCESS_SCOPES.length }),
    'What the key may do: `read`, `write`, `admin`.',
    ['read', 'write'],
  ),
  org_id: described(
    nullish(identifier),
    'The organization that it is bound to. Absent or null = what the caller is bound to.',
    'acme',
  ),
  project_id: described(
    nullish(identifier),
    'The project that it is bound to, with `org_id`. Absent or null = what the caller is bound to.',
    'travel-agent',
  ),
  producer: described(
    nullish(filledText('MAX_LABEL_CHARS')),
    'The only producer that the key speaks for: its messages are those of this producer, and what they say of another user never counts as said by this user. Absent or null = any, or the one that the key of the caller is bound to.',
    'alice',
  ),
  expires_at: described(
    nullish(moment),
    'When it stops being valid, in the future. Absent or null = it never does, or with the key that makes it, if that one ends. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    '2027-06-01T00:00:00+00:00',
  ),
}) {}

export class RotateKeyBody extends request('RotateKeySpec', {
  grace_seconds: described(
    byDefault(integer({ min: 0, max: MAX_ROTATION_GRACE_SECONDS }), 0),
    'Seconds for which the former secret stays valid.',
  ),
}) {}

export class ListKeysQuery extends request('ListKeysQuery', {
  org_id: described(
    optional(identifier),
    'Only keys that are bound to this organization. Absent = all that the caller may see.',
    'acme',
  ),
  project_id: described(
    optional(identifier),
    'Only keys that are bound to this project, with `org_id`. Absent = all that the caller may see.',
    'travel-agent',
  ),
  page_size: described(byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100), 'Keys on a page.'),
  page_num: described(byDefault(integer({ min: 0, max: 1_000_000 }), 0), 'The page, from 0.'),
}) {}

/**
 * @throws AppError `project_not_found` when it would reach further than its maker, `producer_not_allowed` when it would
 * speak for another producer, `invalid_request`
 */
export function toCreateKey(
  body: CreateKeyBody,
  caller: Caller,
  idempotency: IdempotencyToken | undefined,
): CreateApiKeyRequest {
  const { name, scopes, expires_at: expiresAt } = body;
  return {
    name,
    scopes: [...new Set(scopes)],
    bounds: boundsFrom(body, caller),
    producer: producerOfKey(caller, body.producer),
    expiresAt: endOfKey(caller, expiresAt),
    idempotency,
  };
}

/** No key outlives the one that made it, nor the grace of a former secret. */
function endOfKey(caller: Caller, asked: string | undefined): string | undefined {
  if (asked !== undefined && Date.parse(asked) <= Date.now()) throw expiresInThePast();
  const end = ownEnd(caller);
  if (asked === undefined || end === undefined) return asked ?? end;
  if (Date.parse(asked) > Date.parse(end)) throw outlivesItsMaker(end);
  return asked;
}

/** When the API key of a caller ends, or the grace of its secret. */
const ownEnd = ({ kind, endsAtMs }: Caller): string | undefined =>
  kind === 'api-key' && endsAtMs !== undefined ? new Date(endsAtMs).toISOString() : undefined;

/** @throws AppError `forbidden` for a former secret: who holds one of those would lock out who was given the new one */
export function toRotateKey(
  id: string,
  { grace_seconds: graceSeconds }: RotateKeyBody,
  caller: Caller,
  idempotency: IdempotencyToken | undefined,
): RotateApiKeyRequest {
  if (caller.isFormer) throw rotatedAlready();
  const callerEndsAt = ownEnd(caller);
  return { within: caller.bounds, id, graceSeconds, callerEndsAt, idempotency };
}

interface NamedBounds {
  readonly org_id?: string | undefined;
  readonly project_id?: string | undefined;
}

/**
 * The bounds that a request names, completed by those of its caller.
 * @throws AppError `project_not_found` when they reach further than the caller, `invalid_request`
 */
export function boundsFrom({ org_id, project_id }: NamedBounds, caller: Caller): AccessBounds {
  const bounds = { orgId: org_id ?? caller.bounds.orgId, projectId: project_id ?? caller.bounds.projectId };
  if (bounds.orgId === undefined && bounds.projectId !== undefined) throw projectWithoutOrganization();
  requireBounds(caller, bounds);
  return bounds;
}

const expiresInThePast = (): Error =>
  invalid('invalid_request', [
    { loc: ['body', 'expires_at'], msg: 'Input should be in the future', type: 'datetime_future' },
  ]);

const outlivesItsMaker = (end: string): Error =>
  invalid('invalid_request', [
    {
      loc: ['body', 'expires_at'],
      msg: `Input should be at most ${end}, when your own key ends`,
      type: 'less_than_equal',
    },
  ]);

const rotatedAlready = (): Error =>
  forbidden(
    'forbidden',
    'A rotation has replaced your secret, which is in its grace and rotates no key; use the new one.',
  );

const projectWithoutOrganization = (): Error =>
  invalid('invalid_request', [
    { loc: ['body', 'org_id'], msg: 'Field required with project_id', type: 'missing' },
  ]);

const KEY = {
  id: described(
    Type.String({ format: 'uuid' }),
    'Id of the key; it stays the same when the secret is replaced.',
    EXAMPLE_UID,
  ),
  name: described(Type.String(), 'What the key is called.', 'travel agent, production'),
  hint: Type.String({
    description: 'The beginning of the secret (`loci_` and six characters), to tell keys apart by.',
  }),
  scopes: described(
    Type.Array(Type.Enum([...ACCESS_SCOPES])),
    'What the key may do: `read`, `write`, `admin`.',
    ['read', 'write'],
  ),
  org_id: described(nullable(Type.String()), 'The organization that it is bound to; null = all.', 'acme'),
  project_id: described(
    nullable(Type.String()),
    'The project that it is bound to; null = all of the organization.',
    'travel-agent',
  ),
  producer: described(nullable(Type.String()), 'The only producer that it speaks for; null = any.', 'alice'),
  created_at: described(instantText, 'When it was made, in UTC.', EXAMPLE_INSTANT),
  expires_at: described(
    nullable(instantText),
    'When it stops being valid, in UTC; null = it never does.',
    '2026-06-01T00:00:00+00:00',
  ),
  rotated_at: described(
    nullable(instantText),
    'When its secret was last replaced, in UTC; null = never.',
    EXAMPLE_INSTANT,
  ),
  former_valid_until: Type.Optional(
    described(
      instantText,
      'Until when the secret before the last rotation is still valid, in UTC. Absent = none is.',
      '2025-06-01T10:30:00+00:00',
    ),
  ),
};

const keyAnswer = Type.Object(KEY, { title: 'ApiKey' });
export type KeyAnswer = Static<typeof keyAnswer>;
export const keyListAnswer = Type.Array(keyAnswer);

export const fromKey = ({ bounds, createdAt, expiresAt, rotatedAt, ...key }: ApiKey): KeyAnswer => ({
  id: key.id,
  name: key.name,
  hint: key.hint,
  scopes: [...key.scopes],
  org_id: bounds.orgId ?? null,
  project_id: bounds.projectId ?? null,
  producer: key.producer ?? null,
  created_at: createdAt,
  expires_at: expiresAt ?? null,
  rotated_at: rotatedAt ?? null,
  ...(key.formerValidUntil !== undefined && { former_valid_until: key.formerValidUntil }),
});

export const issuedKeyAnswer = Type.Object(
  {
    ...KEY,
    secret: described(
      nullable(Type.String()),
      'The secret, shown this once. Null in the answer to a repeated request: it is not stored.',
      'loci_8fk2q9_replace_me',
    ),
  },
  { title: 'IssuedApiKey' },
);
export type IssuedKeyAnswer = Static<typeof issuedKeyAnswer>;

export const fromIssuedKey = (key: IssuedApiKey): IssuedKeyAnswer => ({
  ...fromKey(key),
  secret: key.secret ?? null,
});
