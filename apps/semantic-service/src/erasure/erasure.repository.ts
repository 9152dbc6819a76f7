import { FIRST_UID } from '@loci/indexing';
import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type HistoryEntry } from '../features/feature-history.js';
import { toHistoryEntry, toHistoryRow } from '../features/history-rows.js';
import { type Owner } from '../projects/project.js';
import { SetEntity } from '../sets/set.entity.js';
import { CITED_EPISODES } from './cited-episodes.sql.js';
import { type DeletedEpisodes, type GoneEpisodes } from '../ingestion/backlog/deleted-episodes.js';
import { eraseRows, type ProjectRows } from './erase-rows.sql.js';
import { EPISODES_OF_HISTORY } from './episodes-of-history.sql.js';
import { FEATURES_DATED_BY } from './features-dated-by.sql.js';
import { FORGET_HISTORY } from './forget-history.sql.js';
import { FORGET_MODEL_CALLS } from './forget-model-calls.sql.js';
import { FORGET_PROPOSALS } from './forget-proposals.sql.js';
import { KEEP_REMOVALS } from './keep-removals.sql.js';
import { NOTE_DELETED_EPISODES } from './note-deleted-episodes.sql.js';
import { DELETED_EPISODES, FEATURES, OWNED } from './project-rows.js';
import { SAID_REMOVALS } from './said-removals.sql.js';
import { SETS_CITING } from './sets-citing.sql.js';
import { UNCITE_EPISODES } from './uncite-episodes.sql.js';

/** A feature of which an episode says when it holds. */
export interface DatedFeature {
  readonly uid: string;
  readonly owner: Owner;
}

/** A feature that cites nothing any more. */
export interface BareFeature extends DatedFeature {
  readonly byClient: boolean;
}

/** Rows that are erased in one transaction. */
const STEP = 500;

/** In the history: a set, and one of its changes. */
type Position = readonly [setUid: string, change: string];

const BEGINNING: Position = [FIRST_UID, FIRST_UID];

/** Of a project that is closed, or of episodes that are deleted: whatever cites them goes. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** All rows of a project, for their erasure. */
@Injectable()
export class ErasureRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Sets of the project itself. */
  async setsOf(projectUid: string): Promise<string[]> {
    const sets = await this.unitOfWork.single(
      (manager) => manager.find(SetEntity, { select: { uid: true }, where: { projectUid } }),
      ROWS_OF_ALL,
    );
    return sets.map(({ uid }) => uid);
  }

  /** Erases the features of the project's own sets, with what hangs on them. */
  eraseFeatures(projectUid: string): Promise<void> {
    return this.eraseAll(FEATURES, projectUid);
  }

  /** Erases the project's own sets, set types and categories, once its features are gone. */
  async eraseSets(projectUid: string): Promise<void> {
    for (const rows of OWNED) await this.eraseAll(rows, projectUid);
  }

  /** Some of the episodes of the project that are still cited. */
  async citedEpisodes(projectUid: string, limit: number): Promise<string[]> {
    const rows = await this.unitOfWork.execute(CITED_EPISODES, [projectUid, limit], IN_ALL);
    return rows.map((row) => row.episode_uid);
  }

  /** Episodes of the project that history of its organization knows, some of the history at a time. */
  async *episodesOfHistory(projectUid: string): AsyncGenerator<readonly string[]> {
    let after: Position | undefined = BEGINNING;
    while (after) {
      const values: readonly unknown[] = [projectUid, ...after, STEP];
      const [row] = await this.unitOfWork.execute(EPISODES_OF_HISTORY, values, IN_ALL);
      yield row?.episodes ?? [];
      after = row?.set_uid && row.change ? [row.set_uid, row.change] : undefined;
    }
  }

  /** Removals that messages asked for, of which these episodes were read, each the last that happened to its feature. */
  async saidRemovals({ uids }: GoneEpisodes, tx: Transaction): Promise<HistoryEntry[]> {
    const rows = await this.unitOfWork.execute(SAID_REMOVALS, [uids], { tx, ...IN_ALL });
    return rows.map(toHistoryEntry);
  }

  /** The sets with features that cite these episodes, or that hold when these say. */
  async setsCiting({ projectUid, uids, addedUntil }: GoneEpisodes, tx: Transaction): Promise<string[]> {
    const values = [projectUid, uids, addedUntil];
    const citing = await this.unitOfWork.execute(SETS_CITING, values, { tx, ...IN_ALL });
    const dated = await this.unitOfWork.execute(FEATURES_DATED_BY, [uids], { tx, ...IN_ALL });
    return [...new Set([...citing, ...dated].map((row) => row.set_uid))];
  }

  /** The features of which these episodes say when they hold. */
  async datedBy({ uids }: GoneEpisodes, tx: Transaction): Promise<DatedFeature[]> {
    const rows = await this.unitOfWork.execute(FEATURES_DATED_BY, [uids], { tx, ...IN_ALL });
    return rows.map((row) => ({
      uid: row.uid,
      owner: { orgId: row.org_id, projectUid: row.project_uid ?? undefined },
    }));
  }

  /**
   * Takes citations of episodes away, and forgets what was drawn from these.
   * @param removals entries of the history that stay, as they are to be
   * @returns the features that cite nothing any more
   */
  async uncite(
    { projectUid, uids, addedUntil }: GoneEpisodes,
    removals: readonly HistoryEntry[],
    tx: Transaction,
  ): Promise<BareFeature[]> {
    if (removals.length > 0) {
      const rows = removals.map((entry) => toHistoryRow(entry.uid, entry));
      await this.unitOfWork.execute(KEEP_REMOVALS, [JSON.stringify(rows)], { tx, ...IN_ALL });
    }
    const kept = removals.map((entry) => entry.uid);
    await this.unitOfWork.execute(FORGET_HISTORY, [uids, kept], { tx, ...IN_ALL });
    await this.unitOfWork.execute(FORGET_PROPOSALS, [uids], { tx, ...IN_ALL });
    await this.unitOfWork.execute(FORGET_MODEL_CALLS, [uids], { tx, ...IN_ALL });
    const values = [projectUid, uids, addedUntil];
    const rows = await this.unitOfWork.execute(UNCITE_EPISODES, values, { tx, ...IN_ALL });
    return rows.map((row) => ({
      uid: row.uid,
      owner: { orgId: row.org_id, projectUid: row.project_uid ?? undefined },
      byClient: row.by_client,
    }));
  }

  /** Remembers that these episodes are deleted. */
  async noteDeleted({ projectUid, uids, addedUntil }: DeletedEpisodes, tx: Transaction): Promise<void> {
    const values = [projectUid, uids, addedUntil];
    await this.unitOfWork.execute(NOTE_DELETED_EPISODES, values, { tx, ...IN_ALL });
  }

  /** Forgets which episodes of a project were deleted: none of them can be cited any more. */
  forgetDeleted(projectUid: string): Promise<void> {
    return this.eraseAll(DELETED_EPISODES, projectUid);
  }

  /** In steps, whatever there is: none takes longer than a statement may. */
  private async eraseAll(rows: ProjectRows, projectUid: string): Promise<void> {
    for (let erased = STEP; erased > 0;) {
      const [row] = await this.unitOfWork.execute(eraseRows(rows), [projectUid, STEP], IN_ALL);
      erased = row?.erased ?? 0;
    }
  }
}
