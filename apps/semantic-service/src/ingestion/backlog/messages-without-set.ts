import { type EpisodesReference, type Instant } from '@loci/contracts';
import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { MessageWithoutSetEntity } from './message-without-set.entity.js';
import { MESSAGES_WITH_ROOM } from './messages-with-room.sql.js';
import { NOTE_MESSAGES_WITHOUT_SET } from './note-messages-without-set.sql.js';
import { REMOVE_MESSAGES_WITHOUT_SET } from './remove-messages-without-set.sql.js';

/** Messages with which a retry begins at a time. */
const PAGE = 100;

/** Of any organization, whose quota all of its projects share. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** Of which a set was refused. */
interface RefusedMessage {
  readonly project: { readonly uid: string; readonly tenant: { readonly orgId: string } };
  readonly episode: { readonly uid: string; readonly addedAt: string };
  readonly receivedAt: Date;
}

/** A message to be taken in again. */
export interface MessageToRetry {
  readonly project: Pick<EpisodesReference, 'tenant' | 'projectUid'>;
  readonly uid: string;
  readonly addedAt: Instant;
  readonly receivedAt: Date;
  /** Of the refusal, as PostgreSQL writes it. */
  readonly refusedAt: string;
}

/** Messages that belong to a set for which the quota of their organization has no room, and those that could not be taken in when they were found. */
@Injectable()
export class MessagesWithoutSet {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @param hasFailed it is not the quota that they wait for */
  async note(
    messages: readonly RefusedMessage[],
    tx: Transaction,
    { hasFailed = false }: { readonly hasFailed?: boolean } = {},
  ): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map(({ project, episode, receivedAt }) => ({
      project_uid: project.uid,
      org_id: project.tenant.orgId,
      episode_uid: episode.uid,
      added_at: episode.addedAt,
      received_at: receivedAt,
    }));
    const values = [JSON.stringify(rows), hasFailed];
    await this.unitOfWork.execute(NOTE_MESSAGES_WITHOUT_SET, values, { tx, ...IN_ALL });
  }

  /** Of organizations that have room now, and of what could not be taken in, those that were refused longest ago. @param quota the default */
  async withRoom(quota: number): Promise<MessageToRetry[]> {
    const rows = await this.unitOfWork.execute(MESSAGES_WITH_ROOM, [quota, PAGE], IN_ALL);
    return rows.map((row) => ({
      project: {
        tenant: { orgId: row.org_id, projectId: row.project_id },
        projectUid: row.project_uid,
      },
      uid: row.episode_uid,
      addedAt: row.added_at,
      receivedAt: row.received_at,
      refusedAt: row.refused_at,
    }));
  }

  /** After they were taken in again: those stay that were refused again meanwhile. */
  async remove(messages: readonly MessageToRetry[]): Promise<void> {
    const values = [
      messages.map(({ project }) => project.projectUid),
      messages.map(({ uid }) => uid),
      messages.map(({ refusedAt }) => refusedAt),
    ];
    await this.unitOfWork.execute(REMOVE_MESSAGES_WITHOUT_SET, values, IN_ALL);
  }

  /** Whether there is any. */
  async areThere(): Promise<boolean> {
    return this.unitOfWork.single((manager) => manager.exists(MessageWithoutSetEntity), ROWS_OF_ALL);
  }

  /** @param orgId undefined = of all */
  async count(orgId?: string): Promise<number> {
    const where = orgId === undefined ? {} : { orgId };
    return this.unitOfWork.single((manager) => manager.countBy(MessageWithoutSetEntity, where), ROWS_OF_ALL);
  }
}
