import { execute, ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type DeletedEpisodes } from './deleted-episodes.js';
import { ModelUsageEntity } from '../usage/model-usage.entity.js';
import {
  type AddedEpisode,
  type IncomingEpisode,
  type Taken,
  type Taking,
  type Triggers,
} from './backlog.js';
import { DROP_EMPTY_LETTERS } from './drop-empty-letters.sql.js';
import { DEFER_MESSAGES } from './defer-messages.sql.js';
import { CLEAR_DEFERRED, DEFERRED_STATE } from './deferred-messages.sql.js';
import { FORGET_DEFERRED } from './forget-deferred.sql.js';
import { FORMER_MESSAGES } from './former-messages.sql.js';
import { SHARE_INTAKE } from './lock-intake.sql.js';
import { lockJobsOfMessages } from './lock-jobs-of-messages.sql.js';
import { MESSAGES_OF_PROJECT } from './messages-of-project.sql.js';
import { NOTE_DUE_SETS } from './note-due-sets.sql.js';
import { NOTE_PROGRESS } from './note-progress.sql.js';
import { IN_SETS, OF_DELETED_EPISODES } from './forgotten-messages.js';
import { FORGET_RELEARNING } from './relearning-position.sql.js';
import { TAKE_MESSAGES } from './take-messages.sql.js';
import { UNKNOWN_MESSAGES } from './unknown-messages.sql.js';
import { forgetCommands } from './forget-commands.sql.js';
import { forgetMessagesWithoutSet } from './forget-messages-without-set.sql.js';
import { forgetMessages } from './forget-messages.sql.js';

/** A message that was added together with many others remembers some of their traces, its own is one of them or not. */
const MAX_CAUSES = 8;

/** Jobs whose count is set right in one statement. */
const CLEARED_AT_ONCE = 1_000;

/** Messages of an erased project that are forgotten in one transaction. */
const FORGOTTEN_AT_ONCE = 500;

/** What waits to be ingested. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those of the episodes that never were in a backlog. */
  async unknown(episodes: readonly AddedEpisode[]): Promise<string[]> {
    const rows = await this.unitOfWork.execute(UNKNOWN_MESSAGES, columnsOf(episodes), {
      scope: ROWS_OF_ALL,
    });
    return rows.map(({ uid }) => uid);
  }

  /** Those that were in a backlog under the uids of these episodes before these were added: they must be deleted. */
  async former(episodes: readonly AddedEpisode[]): Promise<AddedEpisode[]> {
    const rows = await this.unitOfWork.execute(FORMER_MESSAGES, columnsOf(episodes), {
      scope: ROWS_OF_ALL,
    });
    return rows.map(({ uid, project_uid: projectUid, added_at: addedAt }) => ({ uid, projectUid, addedAt }));
  }

  /** Rows of learned messages stay until this transaction ends. Its first statement. */
  async shareIntake(tx: Transaction): Promise<void> {
    await this.unitOfWork.execute(SHARE_INTAKE, [], { tx, scope: ROWS_OF_ALL });
  }

  /**
   * Puts episodes, of any tenants, into the backlogs of their sets, each once whatever comes how often. Those that are
   * known to be deleted are left out. The work messages of the sets that became due belong to this transaction.
   */
  async take(
    episodes: readonly IncomingEpisode[],
    { triggers, taking }: { readonly triggers: Triggers; readonly taking: Taking },
    tx: Transaction,
  ): Promise<Taken> {
    const inAll = { tx, scope: ROWS_OF_ALL };
    const rows = messageRows(episodes);
    const touched = await (taking === 'later'
      ? this.unitOfWork.execute(DEFER_MESSAGES, [rows], inAll)
      : this.unitOfWork.execute(TAKE_MESSAGES, [rows, taking === 'again'], inAll));
    if (touched.length === 0) return { sets: 0, due: [] };
    const progress = episodes.flatMap(toProgress);
    if (progress.length > 0 && taking !== 'later') {
      await this.unitOfWork.execute(NOTE_PROGRESS, [JSON.stringify(progress)], inAll);
    }
    const sets = touched.map(({ set_uid }) => set_uid);
    const due = await this.unitOfWork.execute(NOTE_DUE_SETS, [sets, triggers.messages], inAll);
    return { sets: sets.length, due: due.map(({ set_uid }) => set_uid) };
  }

  /** Whether messages wait without a row, and whether there are as many rows to work on as are enough. */
  async deferred(enough: number): Promise<{ readonly isAny: boolean; readonly isCrowded: boolean }> {
    const [row] = await this.unitOfWork.execute(DEFERRED_STATE, [enough], { scope: ROWS_OF_ALL });
    return { isAny: row?.is_any === true, isCrowded: row?.is_crowded === true };
  }

  /** After all that was added has a row: nothing else waits in jobs that have not changed for a while. */
  async clearDeferred(unchangedMs: number): Promise<void> {
    const values = [unchangedMs, CLEARED_AT_ONCE];
    await this.unitOfWork.execute(CLEAR_DEFERRED, values, { scope: ROWS_OF_ALL });
  }

  /** Forgets deleted episodes, in every set that they were in. */
  async forgetEpisodes({ projectUid, uids, addedUntil }: DeletedEpisodes, tx: Transaction): Promise<void> {
    const values = [projectUid, uids, addedUntil];
    await this.unitOfWork.execute(FORGET_DEFERRED, values, { tx, scope: ROWS_OF_ALL });
    await this.forget(OF_DELETED_EPISODES, values, tx);
    const withoutSet = forgetMessagesWithoutSet(OF_DELETED_EPISODES);
    await this.unitOfWork.execute(withoutSet, values, { tx, scope: ROWS_OF_ALL });
  }

  /** Forgets in steps what came from a project that is closed, in sets of the organization too. */
  async forgetProject(projectUid: string): Promise<void> {
    while (await this.unitOfWork.run((tx) => this.forgetSomeOf(projectUid, tx)));
    await this.unitOfWork.execute(FORGET_RELEARNING, [projectUid], { scope: ROWS_OF_ALL });
    await this.unitOfWork.single((manager) => manager.delete(ModelUsageEntity, { projectUid }), ROWS_OF_ALL);
  }

  /** @returns whether more may be left */
  private async forgetSomeOf(projectUid: string, tx: Transaction): Promise<boolean> {
    const values = [projectUid, FORGOTTEN_AT_ONCE];
    const some = await this.unitOfWork.execute(MESSAGES_OF_PROJECT, values, { tx, scope: ROWS_OF_ALL });
    if (some.length === 0) return false;
    const keys = [some.map(({ set_uid }) => set_uid), some.map(({ episode_uid }) => episode_uid)];
    await this.forget(IN_SETS, keys, tx);
    return true;
  }

  private async forget(condition: string, values: readonly unknown[], tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    // a batch that is being written may leave a letter behind that this would not see
    await execute(manager, lockJobsOfMessages(condition), values);
    const letters = await execute(manager, forgetCommands(condition), values);
    await execute(manager, forgetMessages(condition), values);
    if (letters.length > 0) await execute(manager, DROP_EMPTY_LETTERS, [letters.map(({ uid }) => uid)]);
  }
}

const columnsOf = (episodes: readonly AddedEpisode[]): string[][] => [
  episodes.map(({ projectUid }) => projectUid),
  episodes.map(({ uid }) => uid),
  episodes.map(({ addedAt }) => addedAt),
];

/** As the statements of this folder take them, for each set of each episode. */
export const messageRows = (episodes: readonly IncomingEpisode[]): string =>
  JSON.stringify(episodes.flatMap(toRows));

const toRows = ({
  uid,
  tenant,
  projectUid,
  saidAt,
  addedAt,
  receivedAt,
  causes,
  sets,
}: IncomingEpisode): object[] =>
  sets.map((set) => ({
    set_uid: set.uid,
    is_org_level: set.isOrgLevel,
    episode_uid: uid,
    org_id: tenant.orgId,
    project_id: tenant.projectId,
    project_uid: projectUid,
    said_at: saidAt,
    added_at: addedAt,
    received_at: receivedAt,
    ...(causes.length > 0 && { traceparents: causes.slice(0, MAX_CAUSES) }),
    is_done: set.ingested === 'all',
  }));

const toProgress = ({ uid, sets }: IncomingEpisode): object[] =>
  sets.flatMap(({ uid: set_uid, ingested = [] }) =>
    ingested === 'all' ? [] : ingested.map((category) => ({ set_uid, episode_uid: uid, category })),
  );
