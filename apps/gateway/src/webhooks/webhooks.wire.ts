import {
  type CreateWebhookRequest,
  type IdempotencyToken,
  type IssuedWebhook,
  MAX_WEBHOOK_GRACE_SECONDS,
  NOTIFICATION_TYPES,
  type UpdateWebhookRequest,
  type Webhook,
  WEBHOOK_DESCRIPTION_MAX_CHARS,
  WEBHOOK_URL_MAX_CHARS,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  described,
  filledText,
  integer,
  listOf,
  nullish,
  oneOf,
  optional,
  text,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';
import { identifier } from '../wire/schema/identifier.js';
import { request } from '../wire/schema/request.js';

const EXAMPLE_URL = 'https://hooks.acme.example/loci';
export const EXAMPLE_ERROR = 'The receiver answered HTTP 503.';
const EXAMPLE_TYPES = ['features.changed', 'dead_letter.added'] as const;

/** The variable segment of its path. */
export const webhookId = described(Type.String({ minLength: 1 }), 'Id of the webhook.', EXAMPLE_UID);

const url = filledText(WEBHOOK_URL_MAX_CHARS);
const description = text(WEBHOOK_DESCRIPTION_MAX_CHARS);
const types = listOf(oneOf(NOTIFICATION_TYPES), { max: NOTIFICATION_TYPES.length });

export class CreateWebhookBody extends request('CreateWebhookSpec', {
  url: described(
    url,
    'Where events are sent, with `https`. Addresses of private networks, and `http`, are for deployments with `EGRESS_ALLOW_PRIVATE`.',
    EXAMPLE_URL,
  ),
  description: described(byDefault(description, ''), 'What it is for.', 'cache of the travel agent'),
  org_id: described(
    nullish(identifier),
    'Only events of this organization. Absent or null = what the caller is bound to.',
    'acme',
  ),
  project_id: described(
    nullish(identifier),
    'Only events of this project, with `org_id`. Absent or null = what the caller is bound to.',
    'travel-agent',
  ),
  types: described(nullish(types), 'Only events of these types. Absent, null or empty = all.', EXAMPLE_TYPES),
}) {}

export class UpdateWebhookBody extends request('UpdateWebhookSpec', {
  url: described(
    nullish(url),
    'Where events are sent from now on; what failed is tried again at once. Absent or null = as it is.',
    EXAMPLE_URL,
  ),
  description: described(
    nullish(description),
    'What it is for. Absent or null = as it is.',
    'cache of the travel agent',
  ),
  types: described(
    nullish(types),
    'Only events of these types; empty = all. Absent or null = as it is.',
    EXAMPLE_TYPES,
  ),
  enabled: described(
    nullish(boolean),
    'Whether events are sent. One that is enabled again goes on where it stopped, for as long as events are kept. Absent or null = as it is.',
    true,
  ),
  skip_pending: described(
    byDefault(boolean, false),
    'Whether what is not delivered yet is given up, so that it goes on with what happens from now on.',
  ),
}) {}

export class RotateWebhookBody extends request('RotateWebhookSpec', {
  grace_seconds: described(
    byDefault(integer({ min: 0, max: MAX_WEBHOOK_GRACE_SECONDS }), 86_400),
    'Seconds for which deliveries are signed with the former secret, too.',
  ),
}) {}

export const PAGE = {
  page_size: described(byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100), 'Entries on a page.'),
  page_num: described(byDefault(integer({ min: 0, max: 1_000_000 }), 0), 'The page, from 0.'),
};

export class ListWebhooksQuery extends request('ListWebhooksQuery', {
  org_id: described(
    optional(identifier),
    'Only webhooks of this organization. Absent = all that the caller may see.',
    'acme',
  ),
  project_id: described(
    optional(identifier),
    'Only webhooks of this project, with `org_id`. Absent = all that the caller may see.',
    'travel-agent',
  ),
  ...PAGE,
}) {}

/** @throws AppError `project_not_found` when it would reach further than the caller, `invalid_request` */
export const toCreateWebhook = (
  body: CreateWebhookBody,
  caller: Caller,
  idempotency: IdempotencyToken | undefined,
): CreateWebhookRequest => ({
  url: body.url,
  description: body.description,
  bounds: boundsFrom(body, caller),
  types: body.types?.length === 0 ? undefined : distinct(body.types),
  idempotency,
});

export const toUpdateWebhook = (
  id: string,
  body: UpdateWebhookBody,
  { bounds: within }: Caller,
  idempotency: IdempotencyToken | undefined,
): UpdateWebhookRequest => ({
  within,
  id,
  url: body.url,
  description: body.description,
  types: distinct(body.types),
  isEnabled: body.enabled,
  skipsPending: body.skip_pending,
  idempotency,
});

const distinct = <Item>(items: readonly Item[] | undefined): Item[] | undefined =>
  items && [...new Set(items)];

const WEBHOOK = {
  id: described(Type.String({ format: 'uuid' }), 'Id of the webhook.', EXAMPLE_UID),
  url: described(
    Type.String(),
    'Where events are sent, as the WHATWG URL Standard writes it: with the path `/` if it had none.',
    EXAMPLE_URL,
  ),
  description: described(Type.String(), 'What it is for.', 'cache of the travel agent'),
  org_id: described(
    nullable(Type.String()),
    'The organization whose events it gets; null = of all, and of the deployment.',
    'acme',
  ),
  project_id: described(
    nullable(Type.String()),
    'The project whose events it gets; null = of all of the organization, and of the organization as a whole.',
    'travel-agent',
  ),
  types: described(
    nullable(Type.Array(Type.Enum([...NOTIFICATION_TYPES]))),
    'The types of events that it gets; null = all.',
    EXAMPLE_TYPES,
  ),
  enabled: described(Type.Boolean(), 'Whether events are sent.', true),
  disabled_reason: described(
    nullable(Type.String()),
    'Why the service stopped sending; null while it is enabled, or when a client disabled it.',
    'It has taken nothing since 2025-06-01T09:30:00.000Z. The receiver answered HTTP 503.',
  ),
  attempts: described(Type.Integer(), 'How often the next event could not be delivered yet.', 3),
  failing_since: described(
    nullable(instantText),
    'Since when it has taken nothing of what was sent, in UTC; null = the last delivery was taken.',
    EXAMPLE_INSTANT,
  ),
  last_error: described(
    nullable(Type.String()),
    'What went wrong at the last delivery; null = nothing.',
    EXAMPLE_ERROR,
  ),
  next_attempt_at: described(
    nullable(instantText),
    'When the event that failed is sent again, in UTC; null = none failed, or it is disabled.',
    EXAMPLE_INSTANT,
  ),
  last_delivered_at: described(
    nullable(instantText),
    'When it last took an event, in UTC; null = never.',
    EXAMPLE_INSTANT,
  ),
  created_at: described(instantText, 'When it was added, in UTC.', EXAMPLE_INSTANT),
  rotated_at: described(
    nullable(instantText),
    'When its secret was last replaced, in UTC; null = never.',
    EXAMPLE_INSTANT,
  ),
};

export const webhookAnswer = Type.Object(WEBHOOK, { title: 'Webhook' });
export type WebhookAnswer = Static<typeof webhookAnswer>;
export const webhookListAnswer = Type.Array(webhookAnswer);

export const fromWebhook = ({ bounds, ...webhook }: Webhook): WebhookAnswer => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  org_id: bounds.orgId ?? null,
  project_id: bounds.projectId ?? null,
  types: webhook.types ? [...webhook.types] : null,
  enabled: webhook.isEnabled,
  disabled_reason: webhook.disabledReason ?? null,
  attempts: webhook.attempts,
  failing_since: webhook.failingSince ?? null,
  last_error: webhook.lastError ?? null,
  next_attempt_at: webhook.nextAttemptAt ?? null,
  last_delivered_at: webhook.lastDeliveredAt ?? null,
  created_at: webhook.createdAt,
  rotated_at: webhook.rotatedAt ?? null,
});

export const issuedWebhookAnswer = Type.Object(
  {
    ...WEBHOOK,
    secret: described(
      nullable(Type.String()),
      'What deliveries are signed with (Standard Webhooks), shown this once. Null in the answer to a repeated request.',
      'whsec_cmVwbGFjZSBtZSB3aXRoIHlvdXIgb3duIHNlY3JldC4=',
    ),
  },
  { title: 'IssuedWebhook' },
);
export type IssuedWebhookAnswer = Static<typeof issuedWebhookAnswer>;

export const fromIssuedWebhook = (webhook: IssuedWebhook): IssuedWebhookAnswer => ({
  ...fromWebhook(webhook),
  secret: webhook.secret ?? null,
});
