import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { AccessBounds } from '../api-keys/access.js';
import { OneWithin, PageWithin } from '../api-keys/within.js';
import { IdempotencyToken } from '../idempotency.js';
import { NOTIFICATION_TYPES, type NotificationType } from '../notifications/notification-types.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';

export const WEBHOOK_URL_MAX_CHARS = 2_000;
export const WEBHOOK_DESCRIPTION_MAX_CHARS = 500;

/** A week: a secret that stays valid longer was not rotated. */
export const MAX_WEBHOOK_GRACE_SECONDS = 7 * 24 * 60 * 60;

/** How a delivery stands: taken by the receiver, to be tried again, or given up because a client said so. */
export const WEBHOOK_DELIVERY_STATUSES = ['delivered', 'retrying', 'dropped'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** A receiver of events as its administrators see it. Its secret is not part of it. */
export class Webhook {
  @IsUUID()
  readonly id!: string;

  @IsString()
  readonly url!: string;

  @IsString()
  readonly description!: string;

  /** Whose events it gets. */
  @ValidateNested()
  @Type(() => AccessBounds)
  readonly bounds!: AccessBounds;

  /** Absent = all. */
  @IsOptional()
  @IsIn(NOTIFICATION_TYPES, { each: true })
  readonly types?: readonly NotificationType[] | undefined;

  @IsBoolean()
  readonly isEnabled!: boolean;

  /** Why the service disabled it. */
  @IsOptional()
  @IsString()
  readonly disabledReason?: string | undefined;

  /** How often the next event could not be delivered yet. */
  @IsInt()
  readonly attempts!: number;

  /** Since when it has taken nothing. */
  @IsOptional()
  @IsISO8601()
  readonly failingSince?: string | undefined;

  @IsOptional()
  @IsString()
  readonly lastError?: string | undefined;

  /** When the event that failed is tried again. */
  @IsOptional()
  @IsISO8601()
  readonly nextAttemptAt?: string | undefined;

  @IsOptional()
  @IsISO8601()
  readonly lastDeliveredAt?: string | undefined;

  @IsISO8601()
  readonly createdAt!: string;

  @IsOptional()
  @IsISO8601()
  readonly rotatedAt?: string | undefined;
}

/** A webhook whose secret is new. */
export class IssuedWebhook extends Webhook {
  /** Shown this once. Absent in the answer to a repeated request. */
  @IsOptional()
  @IsString()
  readonly secret?: string | undefined;
}

export class CreateWebhookRequest {
  @IsString()
  @Length(1, WEBHOOK_URL_MAX_CHARS)
  readonly url!: string;

  @IsString()
  @MaxLength(WEBHOOK_DESCRIPTION_MAX_CHARS)
  readonly description!: string;

  @ValidateNested()
  @Type(() => AccessBounds)
  readonly bounds!: AccessBounds;

  /** Absent = all. */
  @IsOptional()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(NOTIFICATION_TYPES, { each: true })
  readonly types?: readonly NotificationType[] | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class ListWebhooksRequest extends PageWithin {}

export class WebhookList {
  @ValidateNested({ each: true })
  @Type(() => Webhook)
  readonly webhooks!: readonly Webhook[];

  @IsInt()
  readonly total!: number;
}

export class WebhookRequest extends OneWithin {}

/** What is absent stays. */
export class UpdateWebhookRequest extends WebhookRequest {
  @IsOptional()
  @IsString()
  @Length(1, WEBHOOK_URL_MAX_CHARS)
  readonly url?: string | undefined;

  @IsOptional()
  @IsString()
  @MaxLength(WEBHOOK_DESCRIPTION_MAX_CHARS)
  readonly description?: string | undefined;

  /** None = all. */
  @IsOptional()
  @ArrayUnique()
  @IsIn(NOTIFICATION_TYPES, { each: true })
  readonly types?: readonly NotificationType[] | undefined;

  @IsOptional()
  @IsBoolean()
  readonly isEnabled?: boolean | undefined;

  /** Gives up what is not delivered yet, so that it goes on with what happens from now on. */
  @IsOptional()
  @IsBoolean()
  readonly skipsPending?: boolean | undefined;
}

export class RotateWebhookRequest extends WebhookRequest {
  /** How long deliveries are signed with the former secret, too. */
  @IsInt()
  @Min(0)
  @Max(MAX_WEBHOOK_GRACE_SECONDS)
  readonly graceSeconds!: number;
}

/** What a receiver made of one delivery. */
export class WebhookTestResult {
  /** The `webhook-id` that it was sent with. */
  @IsUUID()
  readonly eventId!: string;

  @IsBoolean()
  readonly isDelivered!: boolean;

  /** Absent without an answer. */
  @IsOptional()
  @IsInt()
  readonly httpStatus?: number | undefined;

  @IsOptional()
  @IsString()
  readonly error?: string | undefined;

  @IsInt()
  readonly durationMs!: number;
}

/** One event on its way to one receiver; it exists from its first try on. */
export class WebhookDelivery {
  @IsUUID()
  readonly eventId!: string;

  @IsIn(NOTIFICATION_TYPES)
  readonly type!: NotificationType;

  @IsIn(WEBHOOK_DELIVERY_STATUSES)
  readonly status!: WebhookDeliveryStatus;

  @IsInt()
  readonly attempts!: number;

  @IsISO8601()
  readonly firstAttemptAt!: string;

  @IsISO8601()
  readonly lastAttemptAt!: string;

  @IsOptional()
  @IsISO8601()
  readonly nextAttemptAt?: string | undefined;

  /** Of the last try; absent without an answer. */
  @IsOptional()
  @IsInt()
  readonly httpStatus?: number | undefined;

  /** Of the last try. */
  @IsOptional()
  @IsString()
  readonly error?: string | undefined;

  @IsInt()
  readonly durationMs!: number;
}

export class ListWebhookDeliveriesRequest extends ListWebhooksRequest {
  @IsString()
  readonly id!: string;
}

export class WebhookDeliveryList {
  @ValidateNested({ each: true })
  @Type(() => WebhookDelivery)
  readonly deliveries!: readonly WebhookDelivery[];

  @IsInt()
  readonly total!: number;
}

/** Errors: `project_not_found`, `invalid_request` for an address that is refused, `name_confusable`, `quota_exceeded`. */
export const createWebhook = operation('config', 'webhook.create', {
  request: CreateWebhookRequest,
  response: IssuedWebhook,
});

/** Oldest first. */
export const listWebhooks = operation('config', 'webhook.list', {
  request: ListWebhooksRequest,
  response: WebhookList,
});

/** Errors: `webhook_not_found`. */
export const getWebhook = operation('config', 'webhook.get', { request: WebhookRequest, response: Webhook });

/** Errors: `webhook_not_found`, `invalid_request` for an address that is refused. */
export const updateWebhook = operation('config', 'webhook.update', {
  request: UpdateWebhookRequest,
  response: Webhook,
});

/** Errors: `webhook_not_found`. */
export const removeWebhook = operation('config', 'webhook.remove', {
  request: WebhookRequest,
  response: Done,
});

/** Replaces the secret. Errors: `webhook_not_found`. */
export const rotateWebhook = operation('config', 'webhook.rotate', {
  request: RotateWebhookRequest,
  response: IssuedWebhook,
});

/** Sends an event of the type `webhook.test`, once. Errors: `webhook_not_found`, `overloaded`. */
export const testWebhook = operation(
  'config',
  'webhook.test',
  { request: WebhookRequest, response: WebhookTestResult },
  12_000,
);

/** Newest first. Errors: `webhook_not_found`. */
export const listWebhookDeliveries = operation('config', 'webhook.list-deliveries', {
  request: ListWebhookDeliveriesRequest,
  response: WebhookDeliveryList,
});
