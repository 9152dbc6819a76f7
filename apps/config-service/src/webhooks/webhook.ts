import { type AccessBounds, type NotificationType } from '@loci/contracts';

export interface NewWebhook {
  readonly id: string;
  readonly bounds: AccessBounds;
  readonly projectUid: string | undefined;
  readonly url: string;
  readonly description: string;
  /** Undefined = all. */
  readonly types: readonly NotificationType[] | undefined;
  /** Encrypted. */
  readonly secret: string;
}

/** A webhook that has something to get. */
export interface DueWebhook {
  readonly id: string;
  readonly orgId: string | undefined;
  /** Whether its last delivery was in vain. */
  readonly isFailing: boolean;
  /** Whether its deliveries ended their process as often as they may: the next one has no other beside it. */
  readonly isLastTry: boolean;
}

/** A webhook that gets nothing more until a client changes it. */
export type DisabledWebhook = Pick<ClaimedWebhook, 'id' | 'orgId' | 'projectUid'>;

/** A webhook that this process, and no other, delivers to. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly token: string;
  readonly orgId: string | undefined;
  readonly projectUid: string | undefined;
  readonly url: string;
  readonly types: readonly NotificationType[] | undefined;
  /** Encrypted; the current one first. */
  readonly secrets: readonly string[];
  readonly position: number;
  readonly attempts: number;
  readonly failingSince: Date | undefined;
}

/** What became of one delivery. */
export interface DeliveryOutcome {
  readonly isDelivered: boolean;
  /** Undefined without an answer. */
  readonly httpStatus: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number;
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs: number | undefined;
}

/** What a client changes; what is undefined stays. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Null = all. */
  readonly types?: readonly NotificationType[] | null | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly skipsPending?: boolean | undefined;
}
