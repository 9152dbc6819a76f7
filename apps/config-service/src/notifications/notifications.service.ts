import {
  type ListNotificationsRequest,
  type Notification,
  type NotificationPage,
  notificationsRecorded,
  type RecordedNotification,
} from '@loci/contracts';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { type NotificationSelection, NotificationsRepository } from './notifications.repository.js';

const HOUR_MS = 60 * 60 * 1000;
const MICROSECONDS = 1_000;

/** How far the clocks of processes may be apart. */
const TOLERANCE_MS = 60_000;

const REMOVED_AT_ONCE = 1_000;

/** What clients are told of. */
@Injectable()
export class NotificationsService {
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly env: ConfigServiceEnv,
  ) {}

  /** Stores what services raised, each once, and tells the gateways where there is something new. */
  async record(raised: readonly Notification[]): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const recorded = await this.notifications.record(raised, tx);
      if (recorded.length > 0) await this.outbox.append(tx, notificationsRecorded, { recorded });
    });
    this.outbox.wake();
    for (const listener of this.listeners) listener();
  }

  /** Calls back when this process has recorded some. */
  onRecorded(listener: () => void): void {
    this.listeners.push(listener);
  }

  async list({ after, limit, ...reader }: ListNotificationsRequest): Promise<NotificationPage> {
    if (after === undefined || after > positionAt(Date.now() + TOLERANCE_MS)) {
      const position = Math.max(await this.notifications.lastPosition(reader), this.settled());
      return { notifications: [], position, isGap: after !== undefined };
    }
    const notifications = await this.notifications.list(reader, after, limit);
    const position = notifications.at(-1)?.position ?? Math.max(after, this.settled());
    return { notifications, position, isGap: after > 0 && after < this.oldestKept() };
  }

  /** Those behind a position within bounds, as webhooks have them; oldest first. */
  following(selection: NotificationSelection, after: number, limit: number): Promise<RecordedNotification[]> {
    return this.notifications.following(selection, after, limit);
  }

  /** Removes what is kept for long enough. */
  async removeOld(): Promise<void> {
    const before = this.oldestKept();
    while ((await this.notifications.removeBefore(before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  }

  private oldestKept(): number {
    return positionAt(Date.now() - this.env.EVENT_RETENTION_HOURS * HOUR_MS);
  }

  /** No notification will get a position before this one: who hears of nothing for long moves on, and misses nothing. */
  private settled(): number {
    return positionAt(Date.now() - (this.env.EVENT_RETENTION_HOURS * HOUR_MS) / 2);
  }
}

const positionAt = (ms: number): number => ms * MICROSECONDS;
