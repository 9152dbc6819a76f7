import { randomUUID } from 'node:crypto';
import {
  execute,
  type LeaseClaim,
  type LeaseStore,
  type RowOf,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { toIndexVersion } from '../index-versions/index-version-rows.js';
import { IndexVersionEntity } from '../index-versions/index-version.entity.js';
import { type IndexVersion, type IndexVersionModel } from '../index-versions/index-version.js';
import { FIRST_UID, IndexedTable } from '../index-versions/indexed-table.js';
import { chosenEmbedders } from './chosen-embedders.sql.js';
import { claimBuilding } from './claim-building.sql.js';
import { countReembedded } from './count-reembedded.sql.js';
import { dueReembeddings, dueReembeddingsOf } from './due-reembeddings.sql.js';
import { embeddersOfOwners } from './embedders-of-owners.sql.js';
import { findMissing } from './find-missing.sql.js';
import { lockIndexVersions } from './lock-index-versions.sql.js';
import { lockRetired } from './lock-retired.sql.js';
import { markReembedded } from './mark-reembedded.sql.js';
import { noteReembedded } from './note-reembedded.sql.js';
import { problemOfBuilding } from './problem-of-building.sql.js';
import { reembeddingProgress } from './reembedding-progress.sql.js';
import { releaseBuilding } from './release-building.sql.js';
import { renewBuilding } from './renew-building.sql.js';
import { takeBackBuilding } from './take-back-building.sql.js';

export interface Reembedding {
  readonly ownerUid: string;
  readonly to: IndexVersionModel;
}

/** What a look at some owners found. */
export interface DueReembeddings {
  readonly due: readonly Reembedding[];
  /** The last owner that was looked at; undefined when there was none. */
  readonly last: string | undefined;
}

/** An index version that a worker builds. */
export interface ClaimedIndexVersion extends IndexVersion, LeaseClaim {
  readonly orgId: string;
}

export interface BuildingClaimOptions {
  readonly busy?: readonly string[];
  readonly mayBeUnfinished?: boolean;
  readonly served?: readonly string[];
}

const statementsOf = (table: IndexedTable) => ({
  chosenEmbedders: chosenEmbedders(table),
  claim: claimBuilding(table),
  count: countReembedded(table),
  due: dueReembeddings(table),
  dueOf: dueReembeddingsOf(table),
  embeddersOf: embeddersOfOwners(table),
  findMissing: findMissing(table),
  lock: lockIndexVersions(table),
  lockRetired: lockRetired(table),
  markReembedded: markReembedded(table),
  note: noteReembedded(table),
  problem: problemOfBuilding(table),
  progress: reembeddingProgress(table),
  release: releaseBuilding(table),
  renew: renewBuilding(table),
  takeBack: takeBackBuilding(table),
});

const NOW = () => 'now()';

const RETIRING = { state: 'retiring', changedAt: NOW, unfinished: 0 } as const;

/** Rows marked by one statement, which others who mark rows of the owner wait for. */
const MARKED_AT_ONCE = 1_000;

/** This work belongs to no single owner. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** The work of bringing owners from one embedder to another. Every step is safe to repeat and to interrupt. */
@Injectable()
export class ReembeddingsRepository implements LeaseStore<ClaimedIndexVersion> {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    this.statements = statementsOf(table);
  }

  /** The names of the embedders that owners chose themselves. */
  async chosenNames(): Promise<string[]> {
    const rows = await this.unitOfWork.execute(this.statements.chosenEmbedders, [], IN_ALL);
    return rows.map(({ embedder }) => embedder);
  }

  /** The names of the embedders that some owners chose; empty for the default. */
  async namesChosenBy(owners: readonly string[]): Promise<string[]> {
    const rows = await this.unitOfWork.execute(this.statements.embeddersOf, [owners], IN_ALL);
    return rows.map(({ embedder }) => embedder);
  }

  /**
   * Those of the next owners whose vectors are not, and are not about to be, those of the embedder that they should use.
   * @param models what each name stands for now; owners that want another one are left as they are
   * @param defaultName of owners that chose none
   * @param after the last owner that was looked at before
   */
  async due(
    models: readonly IndexVersionModel[],
    defaultName: string,
    limit: number,
    after = FIRST_UID,
  ): Promise<DueReembeddings> {
    const parameters = [JSON.stringify(models), defaultName, after, limit];
    const rows = await this.unitOfWork.execute(this.statements.due, parameters, IN_ALL);
    return { due: toReembeddings(rows), last: rows[0]?.last };
  }

  /** Those of some owners, as `due`. */
  async dueOf(
    owners: readonly string[],
    models: readonly IndexVersionModel[],
    defaultName: string,
  ): Promise<readonly Reembedding[]> {
    const parameters = [JSON.stringify(models), defaultName, owners];
    return toReembeddings(await this.unitOfWork.execute(this.statements.dueOf, parameters, IN_ALL));
  }

  /** Begins to build the index version; one that was being built for another embedder is dropped. */
  begin({ ownerUid, to }: Reembedding): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const indexVersions = await this.lockIndexVersions(ownerUid, tx);
      const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
      const active = indexVersions.find(({ state }) => state === 'active');
      const building = indexVersions.find(({ state }) => state === 'building');
      if (!active) return;
      if (building && building.fingerprint !== to.fingerprint) {
        await manager.update(
          IndexVersionEntity,
          { ownerUid, uid: building.uid },
          { ...RETIRING, leaseUntil: null },
        );
      }
      const same = [active, building].find((indexVersion) => indexVersion?.fingerprint === to.fingerprint);
      if (same) {
        await manager.update(IndexVersionEntity, { ownerUid, uid: same.uid }, { embedder: to.embedder });
        return;
      }
      const { fingerprint, dimensions, embedder } = to;
      await manager.delete(IndexVersionEntity, { ownerUid, fingerprint, state: 'retiring' });
      const begun = {
        uid: randomUUID(),
        ownerUid,
        fingerprint,
        dimensions,
        embedder,
        state: 'building',
      } as const;
      await manager.insert(IndexVersionEntity, begun);
    });
  }

  /**
   * Takes an index version that no worker builds at the moment, for `leaseMs`.
   * @param busy embedders whose index versions are left alone
   * @param mayBeUnfinished whether one will do of which an attempt ended with its process
   * @param served organizations that come after all others, the one that was served last at the end
   */
  async claim(
    leaseMs: number,
    { busy = [], mayBeUnfinished = true, served = [] }: BuildingClaimOptions = {},
  ): Promise<ClaimedIndexVersion | undefined> {
    const parameters = [leaseMs, busy, mayBeUnfinished, served];
    const [claimed] = await this.unitOfWork.execute(this.statements.claim, parameters, IN_ALL);
    if (!claimed) return undefined;
    const { token, unfinished, org_id: orgId } = claimed;
    return { ...toIndexVersion(claimed), key: claimed.owner_uid, token, unfinished, orgId };
  }

  /** Counts what there is to do, before the first step. Takes long in a large project. */
  async count({ ownerUid, uid }: IndexVersion): Promise<void> {
    await this.unitOfWork.execute(this.statements.count, [ownerUid, uid], IN_ALL);
  }

  /** @returns false when the claim is lost */
  async renew({ ownerUid, uid, token }: ClaimedIndexVersion, leaseMs: number): Promise<boolean> {
    const parameters = [ownerUid, uid, token, leaseMs];
    const rows = await this.unitOfWork.execute(this.statements.renew, parameters, IN_ALL);
    return rows.length > 0;
  }

  async takeBack({ ownerUid, uid, token, unfinished }: ClaimedIndexVersion): Promise<void> {
    const parameters = [ownerUid, uid, token, unfinished];
    await this.unitOfWork.execute(this.statements.takeBack, parameters, IN_ALL);
  }

  /** Notes that the work got on. @param carried rows re-embedded since the last call @returns false when the claim is lost */
  async note(claimed: ClaimedIndexVersion, carried: number): Promise<boolean> {
    const parameters = [claimed.ownerUid, claimed.uid, claimed.token, carried];
    const rows = await this.unitOfWork.execute(this.statements.note, parameters, IN_ALL);
    claimed.unfinished = 0;
    return rows.length > 0;
  }

  /**
   * Ends an attempt: no worker claims the index version for a while. A claim that is lost changes nothing.
   * @param problem why building it failed, for people
   */
  async release(
    { ownerUid, uid, token }: ClaimedIndexVersion,
    pauseMs: number,
    problem: string | undefined,
  ): Promise<void> {
    const parameters = [ownerUid, uid, token, pauseMs, problem];
    await this.unitOfWork.execute(this.statements.release, parameters, IN_ALL);
  }

  /**
   * Makes the index version the active one if everything is in it; `markSome` is left to do then, unless little waited for the
   * former embedder.
   * @returns whether it is done with
   */
  complete({ uid, ownerUid }: IndexVersion): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      // a statement that marks a row as indexed shares these locks, so that none is marked for the former index version from here on
      const indexVersions = await this.lockIndexVersions(ownerUid, tx);
      if (
        !indexVersions.some((indexVersion) => indexVersion.uid === uid && indexVersion.state === 'building')
      )
        return true;
      const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
      const missing = await execute(manager, this.statements.findMissing, [ownerUid, uid]);
      if (missing.length > 0) return false;
      await manager.update(IndexVersionEntity, { ownerUid, state: 'active' }, RETIRING);
      const active = {
        state: 'active',
        changedAt: NOW,
        leaseUntil: null,
        unfinished: 0,
        problem: null,
      } as const;
      await manager.update(IndexVersionEntity, { ownerUid, uid }, active);
      await execute(manager, this.statements.markReembedded, [ownerUid, uid, MARKED_AT_ONCE]);
      return true;
    });
  }

  /**
   * Marks some rows as indexed that the former embedder could not embed and the index version, which is the active one, has.
   * Any that stays unmarked is embedded again.
   * @returns whether there were any
   */
  async markSome({ uid, ownerUid }: IndexVersion): Promise<boolean> {
    const parameters = [ownerUid, uid, MARKED_AT_ONCE];
    const options = { scope: this.table.scopeOf(ownerUid) };
    const marked = await this.unitOfWork.execute(this.statements.markReembedded, parameters, options);
    return marked.length > 0;
  }

  /**
   * Removes one index version that has been retiring for `graceMs`; the owner cannot come back to it meanwhile.
   * @param removeVectors undoes the removal by throwing
   * @returns whether there was one
   */
  removeRetired(
    graceMs: number,
    removeVectors: (indexVersion: IndexVersion) => Promise<void>,
  ): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const manager = await scopedManager(tx, ROWS_OF_ALL);
      const [row] = await execute(manager, this.statements.lockRetired, [graceMs / 1000]);
      if (!row) return false;
      await removeVectors(toIndexVersion(row));
      await manager.delete(IndexVersionEntity, { ownerUid: row.owner_uid, uid: row.uid });
      return true;
    });
  }

  /** Of all index versions that are being built, as far as it was counted. */
  async progress(): Promise<{ indexVersions: number; items: number; carried: number }> {
    const [row] = await this.unitOfWork.execute(this.statements.progress, [], IN_ALL);
    return row ?? { indexVersions: 0, items: 0, carried: 0 };
  }

  /** Why an index version that is being built is stuck. */
  async problemOf({ ownerUid, uid }: IndexVersion): Promise<string | undefined> {
    const [row] = await this.unitOfWork.execute(this.statements.problem, [ownerUid, uid], IN_ALL);
    return row?.problem ?? undefined;
  }

  private async lockIndexVersions(ownerUid: string, tx: Transaction): Promise<IndexVersion[]> {
    const scope = this.table.scopeOf(ownerUid);
    const rows = await this.unitOfWork.execute(this.statements.lock, [ownerUid], { tx, scope });
    return rows.map(toIndexVersion);
  }
}

const toReembeddings = (
  rows: readonly RowOf<ReturnType<typeof dueReembeddings>['row']>[],
): readonly Reembedding[] =>
  rows.flatMap(({ owner_uid: ownerUid, embedder, fingerprint, dimensions }) =>
    ownerUid === null || embedder === null || fingerprint === null || dimensions === null
      ? []
      : [{ ownerUid, to: { embedder, fingerprint, dimensions } }],
  );
