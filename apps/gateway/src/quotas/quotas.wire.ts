import {
  type IdempotencyToken,
  invalid,
  MAX_QUOTA,
  type OrganizationQuotas,
  QUOTA_NAMES,
  type QuotaName,
  type SetQuotasRequest,
} from '@loci/contracts';
import { integer, isJsonObject, nullish, optional, described } from '@loci/platform/schema';
import { type Static, type TSchema, Type } from 'typebox';
import { requireBounds } from '../access/authorization.js';
import { type Caller } from '../access/caller.js';
import { identifier } from '../wire/schema/identifier.js';
import { request } from '../wire/schema/request.js';

export class QuotasQuery extends request('QuotasQuery', {
  org_id: described(optional(identifier), 'Id of the organization. Absent = that of the caller.', 'acme'),
}) {}

const limit = nullish(integer({ min: 0, max: MAX_QUOTA }));

const limits = {
  projects: described(
    limit,
    'The most: projects of the organization. Absent or null = the default of the deployment.',
    100,
  ),
  keys: described(
    limit,
    'The most: API keys of the organization, those of its projects included; revoked and expired ones do not count. Absent or null = the default of the deployment.',
    1000,
  ),
  webhooks: described(
    limit,
    'The most: webhooks of the organization, those of its projects included. Absent or null = the default of the deployment.',
    20,
  ),
  sets: described(
    limit,
    'The most: semantic sets of the organization. Messages for which a set is refused wait for room. Absent or null = the default of the deployment.',
    1000000,
  ),
  set_types: described(
    limit,
    'The most: set types of the organization, those of its projects included. Absent or null = the default of the deployment.',
    10000,
  ),
  categories_per_set: described(
    limit,
    'The most: categories of one set, those of templates included. Absent or null = the default of the deployment.',
    100,
  ),
  model_calls_per_day: described(
    limit,
    'The most: calls of language models by ingestion, previews and summaries in a day of UTC; then they wait for the next day. Absent or null = the default of the deployment.',
    100000,
  ),
  model_tokens_per_day: described(
    limit,
    'The most: tokens of these calls, in and out, in a day of UTC. Absent or null = the default of the deployment.',
    200000000,
  ),
  model_cost_per_day: described(
    limit,
    'The most: what these calls may cost in a day of UTC, in the currency of the prices of the models. Absent or null = the default of the deployment.',
    50,
  ),
} satisfies Record<QuotaName, TSchema>;

/** Absent or null = the default of the deployment. */
export class SetQuotasBody extends request('SetQuotasSpec', {
  org_id: described(identifier, 'Id of the organization.', 'acme'),
  ...limits,
}) {}

/**
 * Setting replaces all: under a name that is none of these, a limit would be the default and not what was meant.
 * @param given the body as the client sent it
 * @throws AppError `invalid_request` that names what is not known
 */
export function refuseUnknownQuotas(given: unknown): void {
  if (!isJsonObject(given)) return;
  const [first, ...rest] = Object.keys(given)
    .filter((name) => !Object.hasOwn(SetQuotasBody.schema.properties, name))
    .map((name) => ({ loc: ['body', name], msg: UNKNOWN, type: 'extra_forbidden' }));
  if (first) throw invalid('invalid_request', [first, ...rest]);
}

const UNKNOWN = `Input should be one of ${['org_id', ...QUOTA_NAMES].join(', ')}`;

/** That of clients that name none. */
const DEFAULT_ORGANIZATION = 'universal';

/** @throws AppError `project_not_found` for an organization outside the bounds of the caller */
export function organizationFrom({ org_id }: QuotasQuery, caller: Caller): string {
  const orgId = org_id ?? caller.bounds.orgId ?? DEFAULT_ORGANIZATION;
  requireBounds(caller, { orgId });
  return orgId;
}

export const toSetQuotas = (
  body: SetQuotasBody,
  idempotency: IdempotencyToken | undefined,
): SetQuotasRequest => ({
  orgId: body.org_id,
  limits: QUOTA_NAMES.flatMap((name) => {
    const value = body[name];
    return value === undefined ? [] : [{ name, limit: value }];
  }),
  idempotency,
});

const quotaAnswer = Type.Object(
  {
    limit: described(Type.Integer(), 'The most that the organization may have or use.', 10000),
    used: Type.Integer({ description: 'Can exceed a limit that was lowered.' }),
    is_default: Type.Boolean({ description: 'Whether the limit is the default of the deployment.' }),
  },
  { title: 'Quota' },
);

export const quotasAnswer = Type.Object(
  {
    org_id: described(Type.String(), 'Id of the organization.', 'acme'),
    quotas: described(
      Type.Object({
        projects: described(quotaAnswer, 'Projects of the organization.'),
        keys: described(
          quotaAnswer,
          'API keys of the organization, those of its projects included; revoked and expired ones do not count.',
        ),
        webhooks: described(quotaAnswer, 'Webhooks of the organization, those of its projects included.'),
        sets: described(
          quotaAnswer,
          'Semantic sets of the organization. Messages for which a set is refused wait for room.',
        ),
        set_types: described(quotaAnswer, 'Set types of the organization, those of its projects included.'),
        categories_per_set: described(
          quotaAnswer,
          'Categories of one set, those of templates included; in use: those of the set that has most.',
        ),
        model_calls_per_day: described(
          quotaAnswer,
          'Calls of language models by ingestion, previews and summaries in a day of UTC; then they wait for the next day.',
        ),
        model_tokens_per_day: described(quotaAnswer, 'Tokens of these calls, in and out, in a day of UTC.'),
        model_cost_per_day: described(
          quotaAnswer,
          'What these calls cost in a day of UTC, in the currency of the prices of the models, rounded down; models without prices cost nothing.',
        ),
      }),
      'Limit and use, by what is limited.',
    ),
    messages_waiting: Type.Integer({
      description:
        'Messages for which a set could not be made, which are ingested into it when `sets` has room, and messages that could not be taken in, which are tried again.',
    }),
  },
  { title: 'Quotas' },
);
export type QuotasAnswer = Static<typeof quotasAnswer>;
type QuotaAnswer = Static<typeof quotaAnswer>;

/** @param parts of each service that enforces quotas */
export function fromQuotas(orgId: string, parts: readonly OrganizationQuotas[]): QuotasAnswer {
  const byName = new Map(parts.flatMap(({ quotas }) => quotas).map((quota) => [quota.name, quota]));
  const of = (name: QuotaName): QuotaAnswer => {
    const { limit = 0, used = 0, isDefault = true } = byName.get(name) ?? {};
    return { limit, used, is_default: isDefault };
  };
  return {
    org_id: orgId,
    quotas: {
      projects: of('projects'),
      keys: of('keys'),
      webhooks: of('webhooks'),
      sets: of('sets'),
      set_types: of('set_types'),
      categories_per_set: of('categories_per_set'),
      model_calls_per_day: of('model_calls_per_day'),
      model_tokens_per_day: of('model_tokens_per_day'),
      model_cost_per_day: of('model_cost_per_day'),
    },
    messages_waiting: parts.reduce((sum, { messagesWaiting = 0 }) => sum + messagesWaiting, 0),
  };
}
