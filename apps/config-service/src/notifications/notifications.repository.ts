import {
  type AccessBounds,
  type Notification,
  type NotificationType,
  type RecordedNotification,
} from '@loci/contracts';
import { ROWS_OF_ALL, type RowOf, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { rowsWithin } from '../rows-within.js';
import { FOLLOWING_NOTIFICATIONS } from './following-notifications.sql.js';
import { LAST_NOTIFICATION } from './last-notification.sql.js';
import { LIST_NOTIFICATIONS } from './list-notifications.sql.js';
import { NotificationHeadEntity } from './notification-head.entity.js';
import { RECORD_NOTIFICATIONS } from './record-notifications.sql.js';
import { REMOVE_OLD_NOTIFICATIONS } from './remove-old-notifications.sql.js';

/** Whose notifications are asked for. */
export interface NotificationReader {
  readonly within: AccessBounds;
  /** Whether those of the deployment as a whole are among them. */
  readonly ofDeployment: boolean;
}

/** Of which notifications a webhook hears. */
export interface NotificationSelection {
  /** Undefined: the whole deployment. */
  readonly orgId: string | undefined;
  /** Undefined: the organization as a whole. */
  readonly projectUid: string | undefined;
  /** Undefined: all. */
  readonly types: readonly NotificationType[] | undefined;
}

/** Where notifications are kept, in the sequence in which clients are told. */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Stores them, each once. One transaction after the other does so: who has read up to a position will never find
   * a new one before it.
   * @returns where there are new ones
   */
  async record(notifications: readonly Notification[], tx: Transaction): Promise<AccessBounds[]> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.findOneOrFail(NotificationHeadEntity, {
      where: { isOnly: true },
      lock: { mode: 'pessimistic_write' },
    });
    const values = [JSON.stringify(notifications)];
    const rows = await this.unitOfWork.execute(RECORD_NOTIFICATIONS, values, { tx, scope: ROWS_OF_ALL });
    return rows.map(({ org_id, project_id }) => ({
      ...(org_id !== null && { orgId: org_id }),
      ...(project_id !== null && { projectId: project_id }),
    }));
  }

  /** Oldest first. */
  async list(reader: NotificationReader, after: number, limit: number): Promise<RecordedNotification[]> {
    const values = [...conditions(reader), after, limit];
    const scope = rowsWithin(reader.within);
    const rows = await this.unitOfWork.execute(LIST_NOTIFICATIONS, values, { scope });
    return rows.map(toNotification);
  }

  /** Oldest first. */
  async following(
    { orgId, projectUid, types }: NotificationSelection,
    after: number,
    limit: number,
  ): Promise<RecordedNotification[]> {
    const scope = rowsWithin({ orgId });
    const values = [orgId, projectUid, types, after, limit];
    const rows = await this.unitOfWork.execute(FOLLOWING_NOTIFICATIONS, values, { scope });
    return rows.map(toNotification);
  }

  /** @returns 0 without one */
  async lastPosition(reader: NotificationReader): Promise<number> {
    const scope = rowsWithin(reader.within);
    const [row] = await this.unitOfWork.execute(LAST_NOTIFICATION, conditions(reader), { scope });
    return Number(row?.position ?? 0);
  }

  /** @returns how many were removed, `limit` at most */
  async removeBefore(position: number, limit: number): Promise<number> {
    const values = [position, limit];
    const [row] = await this.unitOfWork.execute(REMOVE_OLD_NOTIFICATIONS, values, { scope: ROWS_OF_ALL });
    return row?.removed ?? 0;
  }
}

const conditions = ({ within, ofDeployment }: NotificationReader) => [
  within.orgId,
  within.projectId,
  ofDeployment,
];

const toNotification = (row: RowOf<typeof LIST_NOTIFICATIONS.row>): RecordedNotification => ({
  position: Number(row.position),
  id: row.id,
  type: row.type,
  at: row.at.toISOString(),
  ...(row.org_id !== null && { orgId: row.org_id }),
  ...(row.project_uid !== null && { projectUid: row.project_uid }),
  ...(row.project_id !== null && { projectId: row.project_id }),
  data: row.data,
});
