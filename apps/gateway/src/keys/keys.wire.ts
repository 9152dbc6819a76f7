import {
  ACCESS_SCOPES,
  type AccessBounds,
  API_KEY_NAME_MAX_CHARS,
  type ApiKey,
  type CreateApiKeyRequest,
  type IdempotencyToken,
  invalid,
  type IssuedApiKey,
  MAX_ROTATION_GRACE_SECONDS,
} from '@loci/contracts';
import { byDefault, filledText, integer, listOf, nullish, oneOf, optional } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { requireBounds } from '../access/authorization.js';
import { producerOfKey } from '../access/producers.js';
import { instantText, nullable } from '../wire/answers.js';
import { identifier } from '../wire/schema/identifier.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';

export class CreateKeyBody extends request('CreateKeySpec', {
  name: filledText(API_KEY_NAME_MAX_CHARS),
  scopes: listOf(oneOf(ACCESS_SCOPES), { min: 1, max: ACCESS_SCOPES.length }),

  /** Absent = what the caller is bound to. */
  org_id: nullish(identifier),
  project_id: nullish(identifier),

  /** The only producer that the key speaks for. Absent = any, or the one that the caller's own key is bound to. */
  producer: nullish(filledText('MAX_LABEL_CHARS')),

  /** Absent = it never expires. */
  expires_at: nullish(moment),
}) {}

export class RotateKeyBody extends request('RotateKeySpec', {
  /** How long the former secret stays valid. */
  grace_seconds: byDefault(integer({ min: 0, max: MAX_ROTATION_GRACE_SECONDS }), 0),
}) {}

export class ListKeysQuery extends request('ListKeysQuery', {
  org_id: optional(identifier),
  project_id: optional(identifier),
  page_size: byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100),
  page_num: byDefault(integer({ min: 0, max: 1_000_000 }), 0),
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
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) throw expiresInThePast();
  return {
    name,
    scopes: [...new Set(scopes)],
    bounds: boundsFrom(body, caller),
    producer: producerOfKey(caller, body.producer),
    expiresAt,
    idempotency,
  };
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

const projectWithoutOrganization = (): Error =>
  invalid('invalid_request', [
    { loc: ['body', 'org_id'], msg: 'Field required with project_id', type: 'missing' },
  ]);

const KEY = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  hint: Type.String({
    description: 'The beginning of the secret (`loci_` and six characters), to tell keys apart by.',
  }),
  scopes: Type.Array(Type.Enum([...ACCESS_SCOPES])),
  org_id: nullable(Type.String()),
  project_id: nullable(Type.String()),
  producer: nullable(Type.String({ description: 'The only producer that it speaks for; null: any.' })),
  created_at: instantText,
  expires_at: nullable(instantText),
  rotated_at: nullable(instantText),
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
});

export const issuedKeyAnswer = Type.Object(
  {
    ...KEY,
    secret: nullable(
      Type.String({ description: 'Null in the answer to a repeated request: it is not stored.' }),
    ),
  },
  { title: 'IssuedApiKey' },
);
export type IssuedKeyAnswer = Static<typeof issuedKeyAnswer>;

export const fromIssuedKey = (key: IssuedApiKey): IssuedKeyAnswer => ({
  ...fromKey(key),
  secret: key.secret ?? null,
});
