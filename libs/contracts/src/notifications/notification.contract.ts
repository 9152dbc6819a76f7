import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { AccessBounds } from '../api-keys/access.js';
import { event } from '../message.js';
import { operation } from '../operation.js';
import { NOTIFICATION_TYPES, type NotificationType } from './notification-types.js';

/** Says to clients that something happened: in the stream of events, and through webhooks. */
export class Notification {
  /** Stays the same however often it is delivered. */
  @IsUUID()
  readonly id!: string;

  @IsIn(NOTIFICATION_TYPES)
  readonly type!: NotificationType;

  /** When it happened. */
  @IsISO8601()
  readonly at!: string;

  /** Absent: the deployment as a whole. */
  @IsOptional()
  @IsString()
  readonly orgId?: string | undefined;

  /** The project, as this incarnation of it is called; absent: its organization as a whole. */
  @IsOptional()
  @IsUUID()
  readonly projectUid?: string | undefined;

  /** As clients get it (`NotificationData`). */
  @IsObject()
  readonly data!: Readonly<Record<string, unknown>>;
}

/** One that is recorded: only then do clients hear of it. */
export class RecordedNotification extends Notification {
  /** Grows from each to the next, of whichever tenant: microseconds since 1970, roughly of the recording. */
  @IsInt()
  readonly position!: number;

  /** The name of its project. */
  @IsOptional()
  @IsString()
  readonly projectId?: string | undefined;
}

/** So many are read at once, at most. */
export const MAX_NOTIFICATIONS_PER_PAGE = 100;

export class ListNotificationsRequest {
  @ValidateNested()
  @Type(() => AccessBounds)
  readonly within!: AccessBounds;

  /** Whether those of the deployment as a whole are among them; only without an organization. */
  @IsBoolean()
  readonly ofDeployment!: boolean;

  /** Only those behind this position; 0 = all that are kept. Absent: none, only where the last one is. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly after?: number | undefined;

  @IsInt()
  @Min(1)
  @Max(MAX_NOTIFICATIONS_PER_PAGE)
  readonly limit!: number;
}

export class NotificationPage {
  /** In the sequence of their positions. */
  @ValidateNested({ each: true })
  @Type(() => RecordedNotification)
  readonly notifications!: readonly RecordedNotification[];

  /** What `after` of the next page is. */
  @IsInt()
  readonly position!: number;

  /** Whether some behind the asked position are not kept any more. */
  @IsBoolean()
  readonly isGap!: boolean;
}

/** Those within the bounds, oldest first. */
export const listNotifications = operation('config', 'notification.list', {
  request: ListNotificationsRequest,
  response: NotificationPage,
});

/** Where there are new ones. */
export class RecordedBounds {
  @ValidateNested({ each: true })
  @Type(() => AccessBounds)
  readonly recorded!: readonly AccessBounds[];
}

/** Notifications are recorded, and can be listed. */
export const notificationsRecorded = event('config', 'notifications.recorded', RecordedBounds);

/** A service has something to say to clients; each has a stream of its own. */
export const configNotificationsRaised = event('config', 'notifications.raised', Notification);
export const episodicNotificationsRaised = event('episodic', 'notifications.raised', Notification);
export const semanticNotificationsRaised = event('semantic', 'notifications.raised', Notification);
