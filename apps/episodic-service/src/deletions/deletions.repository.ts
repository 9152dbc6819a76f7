import {
  type Deletion,
  episodicNotificationsRaised,
  type Filter,
  notification,
  type Tenant,
} from '@loci/contracts';
import {
  entityManager,
  outboxInsertSql,
  ROWS_OF_ALL,
  type RowOf,
  rowsOf,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { matching } from '../episodes/episode-rows.js';
import { ADVANCE_DELETION } from './advance-deletion.sql.js';
import { CLAIM_DELETION } from './claim-deletion.sql.js';
import { COUNT_OPEN_DELETIONS_OF_ORGANIZATION } from './count-open-deletions-of-organization.sql.js';
import { COUNT_OPEN_DELETIONS } from './count-open-deletions.sql.js';
import { toDeletion } from './deletion-rows.js';
import { DeletionEntity } from './deletion.entity.js';
import { FIND_DELETIONS } from './find-deletions.sql.js';
import { FINISH_DELETION } from './finish-deletion.sql.js';
import { FORGET_DELETIONS } from './forget-deletions.sql.js';
import { HOLD_DELETION } from './hold-deletion.sql.js';
import { INSERT_DELETION } from './insert-deletion.sql.js';
import { matchEpisodes } from './match-episodes.sql.js';
import { IS_ANY_DELETION_DUE } from './is-any-deletion-due.sql.js';
import { POSTPONE_DELETION } from './postpone-deletion.sql.js';
import { RELEASE_DELETION } from './release-deletion.sql.js';

/** A deletion of which a worker has noted that it begins the next step. */
export interface ClaimedDeletion {
  readonly uid: string;
  readonly projectUid: string;
  readonly token: string;
}

/** A deletion of which a worker does the next step, in the transaction that holds it. */
export interface HeldDeletion {
  readonly uid: string;
  readonly tenant: Tenant;
  readonly projectUid: string;
  readonly filter: Filter | undefined;
  readonly addedUntil: string;
  readonly seen: { readonly at: string; readonly uid: string };
  /** When its last episode was deleted; absent while there are more. */
  readonly emptiedAt: string | undefined;
}

export type MatchedEpisodes = RowOf<ReturnType<typeof matchEpisodes>['row']>;

const MAX_PAUSE_SECONDS = 300;

/** Between the note and the lock of the row, and as long as another worker waits after one that ended. */
const LEASE_MS = 5_000;
const FORGOTTEN_AT_ONCE = 1_000;

@Injectable()
export class DeletionsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async isAnyDue(): Promise<boolean> {
    const [row] = await this.unitOfWork.execute(IS_ANY_DELETION_DUE, [], { scope: ROWS_OF_ALL });
    return row?.is_any === true;
  }

  async insert(
    { uid, projectUid, filter }: { uid: string; projectUid: string; filter: Filter },
    matches: number,
    tx: Transaction,
  ): Promise<Deletion> {
    const values = [uid, projectUid, JSON.stringify(filter), matches];
    const [row] = await this.unitOfWork.execute(INSERT_DELETION, values, { tx, scope: rowsOf(projectUid) });
    if (!row) throw new Error('A deletion was not stored.');
    return toDeletion(row);
  }

  /** How many of a project a worker has still to do, counted up to `limit`. */
  async countOpen(projectUid: string, limit: number, tx: Transaction): Promise<number> {
    const scope = rowsOf(projectUid);
    const [row] = await this.unitOfWork.execute(COUNT_OPEN_DELETIONS, [projectUid, limit], { tx, scope });
    return row?.open ?? 0;
  }

  /** The same of all projects of an organization. */
  async countOpenOf(orgId: string, limit: number, tx: Transaction): Promise<number> {
    const options = { tx, scope: ROWS_OF_ALL };
    const values = [orgId, limit];
    const [row] = await this.unitOfWork.execute(COUNT_OPEN_DELETIONS_OF_ORGANIZATION, values, options);
    return row?.open ?? 0;
  }

  async find(projectUid: string, uid: string): Promise<Deletion | undefined> {
    return (await this.read(projectUid, uid, 1))[0];
  }

  /** Newest first. */
  list(projectUid: string, limit: number): Promise<Deletion[]> {
    return this.read(projectUid, undefined, limit);
  }

  /** Notes that the next step of one begins, with the commit of this alone: a worker that is killed leaves the note. */
  async claim(): Promise<ClaimedDeletion | undefined> {
    const [row] = await this.unitOfWork.execute(CLAIM_DELETION, [LEASE_MS], { scope: ROWS_OF_ALL });
    return row && { uid: row.uid, projectUid: row.project_uid, token: row.token };
  }

  /** Keeps all others away until the end of the transaction. @returns undefined when the claim is lost, or its project closes */
  async hold(
    { uid, projectUid, token }: ClaimedDeletion,
    tx: Transaction,
  ): Promise<HeldDeletion | undefined> {
    const values = [projectUid, uid, token];
    const [row] = await this.unitOfWork.execute(HOLD_DELETION, values, { tx, scope: rowsOf(projectUid) });
    return (
      row && {
        uid,
        tenant: { orgId: row.org_id, projectId: row.project_id },
        projectUid,
        filter: row.filter ?? undefined,
        addedUntil: row.requested_at,
        seen: { at: row.seen_at, uid: row.seen_uid },
        emptiedAt: row.emptied_at ?? undefined,
      }
    );
  }

  /** Looks at the next `limit` episodes, in the scope of their project: the condition came from a client. */
  async match(
    { projectUid, filter, addedUntil, seen }: HeldDeletion,
    limit: number,
    tx: Transaction,
  ): Promise<MatchedEpisodes> {
    const predicate = matching(filter, 6);
    const values = [projectUid, seen.at, seen.uid, limit, addedUntil, ...predicate.parameters];
    const scope = rowsOf(projectUid);
    const [row] = await this.unitOfWork.execute(matchEpisodes(predicate), values, { tx, scope });
    return row ?? { uids: [], seen: 0, seen_at: null, seen_uid: null };
  }

  async advance(
    { uid, projectUid }: HeldDeletion,
    { seen_at, seen_uid }: MatchedEpisodes,
    { deleted, isLast }: { deleted: number; isLast: boolean },
    tx: Transaction,
  ): Promise<void> {
    const values = [projectUid, uid, seen_at, seen_uid, deleted, isLast];
    await this.unitOfWork.execute(ADVANCE_DELETION, values, { tx, scope: rowsOf(projectUid) });
  }

  /** Done when no vector of its episodes is left; clients are told then. */
  async finish(
    { uid, tenant: { orgId }, projectUid, emptiedAt }: HeldDeletion,
    tx: Transaction,
  ): Promise<void> {
    const values = [uid, projectUid, emptiedAt];
    const scope = rowsOf(projectUid);
    const [done] = await this.unitOfWork.execute(FINISH_DELETION, values, { tx, scope });
    if (!done) return;
    const data = { job_id: uid, deleted: done.deleted };
    const raised = notification(uuidv7(), 'deletion.done', { orgId, projectUid }, data);
    const insert = outboxInsertSql(SCHEMA, episodicNotificationsRaised, raised, 1);
    await entityManager(tx).query(insert.sql, [...insert.parameters]);
  }

  /** Its last step failed: the next one is tried after a pause. */
  async postpone({ uid, projectUid, token }: ClaimedDeletion): Promise<void> {
    const scope = rowsOf(projectUid);
    const values = [projectUid, uid, MAX_PAUSE_SECONDS, token];
    await this.unitOfWork.execute(POSTPONE_DELETION, values, { scope });
  }

  /** Its step was not begun. */
  async release({ uid, projectUid, token }: ClaimedDeletion): Promise<void> {
    const scope = rowsOf(projectUid);
    await this.unitOfWork.execute(RELEASE_DELETION, [projectUid, uid, token], { scope });
  }

  /** Forgets those that ended longer ago. */
  async forget(olderThanDays: number): Promise<void> {
    await this.unitOfWork.execute(FORGET_DELETIONS, [olderThanDays, FORGOTTEN_AT_ONCE], {
      scope: ROWS_OF_ALL,
    });
  }

  /** Forgets all of a closed project. */
  async erase(projectUid: string): Promise<void> {
    await this.unitOfWork.single(
      (manager) => manager.delete(DeletionEntity, { projectUid }),
      rowsOf(projectUid),
    );
  }

  private async read(projectUid: string, uid: string | undefined, limit: number): Promise<Deletion[]> {
    const scope = rowsOf(projectUid);
    const rows = await this.unitOfWork.execute(FIND_DELETIONS, [projectUid, uid, limit], { scope });
    return rows.map(toDeletion);
  }
}
