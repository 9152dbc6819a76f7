import {
  ACCESS_SCOPES,
  type AccessBounds,
  type AccessScope,
  API_KEY_NAME_MAX_CHARS,
  type ApiKey,
  type CreateApiKeyRequest,
  type IdempotencyToken,
  type Instant,
  invalid,
  type IssuedApiKey,
  MAX_ROTATION_GRACE_SECONDS,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { requireBounds } from '../access/authorization.js';
import { producerOfKey } from '../access/producers.js';
import { instantText, nullable } from '../wire/answers.js';
import { listOf } from '../wire/reading/collections.js';
import { integer, moment, oneOf } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { filledText, identifier } from '../wire/reading/text.js';

export class CreateKeyBody {
  @Wire(filledText(API_KEY_NAME_MAX_CHARS))
  readonly name!: string;

  @Wire(listOf(oneOf(ACCESS_SCOPES), { min: 1, max: ACCESS_SCOPES.length }))
  readonly scopes!: readonly AccessScope[];

  /** Absent = what the caller is bound to. */
  @Wire(identifier, { optional: true, nullable: true })
  readonly org_id?: string | undefined;

  @Wire(identifier, { optional: true, nullable: true })
  readonly project_id?: string | undefined;

  /** The only producer that the key speaks for. Absent = any, or the one that the caller's own key is bound to. */
  @Wire(filledText('MAX_LABEL_CHARS'), { optional: true, nullable: true })
  readonly producer?: string | undefined;

  /** Absent = it never expires. */
  @Wire(moment, { optional: true, nullable: true })
  readonly expires_at?: Instant | undefined;
}

export class RotateKeyBody {
  /** How long the former secret stays valid. */
  @Wire(integer({ min: 0, max: MAX_ROTATION_GRACE_SECONDS }), { default: 0 })
  readonly grace_seconds!: number;
}

export class ListKeysQuery {
  @Wire(identifier, { optional: true })
  readonly org_id?: string | undefined;

  @Wire(identifier, { optional: true })
  readonly project_id?: string | undefined;

  @Wire(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), { default: 100 })
  readonly page_size!: number;

  @Wire(integer({ min: 0, max: 1_000_000 }), { default: 0 })
  readonly page_num!: number;
}

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
      Type.String({ description: 'Null in the answer to a repeated request: nobody keeps it.' }),
    ),
  },
  { title: 'IssuedApiKey' },
);
export type IssuedKeyAnswer = Static<typeof issuedKeyAnswer>;

export const fromIssuedKey = (key: IssuedApiKey): IssuedKeyAnswer => ({
  ...fromKey(key),
  secret: key.secret ?? null,
});
