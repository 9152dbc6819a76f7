import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type IndexVersion, type IndexVersionModel } from '../index-versions/index-version.js';
import { IndexedTable, tablesOf } from '../index-versions/indexed-table.js';
import {
  INDEX_VERSION_COLUMNS,
  type IndexVersionRow,
  toIndexVersion,
} from '../index-versions/index-version-rows.js';

export interface Reembedding {
  readonly ownerUid: string;
  readonly to: IndexVersionModel;
}

interface DueRow {
  readonly owner_uid: string;
  readonly embedder: string;
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** The work of bringing owners from one embedder to another. Every step is safe to repeat and to interrupt. */
@Injectable()
export class ReembeddingsRepository {
  private readonly tables: ReturnType<typeof tablesOf>;
  private readonly isOfOwner: string;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    this.tables = tablesOf(table);
    this.isOfOwner = `${table.ownerColumn} = $1 AND ${table.belongs}`;
  }

  /** The names of the embedders that owners chose themselves. */
  async chosenNames(): Promise<string[]> {
    const rows = await this.query<{ embedder: string }>(
      `SELECT DISTINCT embedder FROM (${this.table.owners}) AS owner WHERE embedder <> ''`,
    );
    return rows.map(({ embedder }) => embedder);
  }

  /**
   * Owners whose vectors are not, and are not about to be, those of the embedder that they should use.
   * @param models what each name stands for now; owners that want another one are left as they are
   * @param defaultName of owners that chose none
   */
  async due(
    models: readonly IndexVersionModel[],
    defaultName: string,
    limit: number,
  ): Promise<Reembedding[]> {
    const rows = await this.query<DueRow>(
      `SELECT owner.uid AS owner_uid, model.embedder, model.fingerprint, model.dimensions
       FROM (${this.table.owners}) AS owner
       JOIN ${this.tables.indexVersions} AS active ON active.owner_uid = owner.uid AND active.state = 'active'
       LEFT JOIN ${this.tables.indexVersions} AS building ON building.owner_uid = owner.uid AND building.state = 'building'
       JOIN json_to_recordset($1::json) AS model(embedder text, fingerprint text, dimensions int)
         ON model.embedder = coalesce(nullif(owner.embedder, ''), $2)
       WHERE (coalesce(building.fingerprint, active.fingerprint), coalesce(building.embedder, active.embedder))
             IS DISTINCT FROM (model.fingerprint, model.embedder)
       LIMIT $3`,
      [JSON.stringify(models), defaultName, limit],
    );
    return rows.map(({ owner_uid: ownerUid, ...to }) => ({ ownerUid, to }));
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
        await manager.query(
          `UPDATE ${this.tables.indexVersions} SET state = 'retiring', changed_at = now(), lease_until = NULL WHERE uid = $1`,
          [building.uid],
        );
      }
      const same = [active, building].find((indexVersion) => indexVersion?.fingerprint === to.fingerprint);
      if (same) {
        await manager.query(`UPDATE ${this.tables.indexVersions} SET embedder = $2 WHERE uid = $1`, [
          same.uid,
          to.embedder,
        ]);
        return;
      }
      await manager.query(
        `DELETE FROM ${this.tables.indexVersions} WHERE owner_uid = $1 AND fingerprint = $2 AND state = 'retiring'`,
        [ownerUid, to.fingerprint],
      );
      await manager.query(
        `INSERT INTO ${this.tables.indexVersions} (uid, owner_uid, fingerprint, dimensions, embedder, state)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, 'building')`,
        [ownerUid, to.fingerprint, to.dimensions, to.embedder],
      );
    });
  }

  /** Takes an index version that nobody builds at the moment, for `leaseMs`, and counts what there is to do. */
  async claim(leaseMs: number): Promise<IndexVersion | undefined> {
    const [claimed] = await this.query<IndexVersionRow>(
      `WITH free AS (
         SELECT index_version.uid FROM ${this.tables.indexVersions} AS index_version JOIN (${this.table.owners}) AS owner ON owner.uid = index_version.owner_uid
         WHERE index_version.state = 'building' AND coalesce(lease_until, '-infinity') < now()
         ORDER BY index_version.lease_until NULLS FIRST, index_version.changed_at LIMIT 1 FOR UPDATE OF index_version SKIP LOCKED
       ), claimed AS (
         UPDATE ${this.tables.indexVersions} AS index_version SET lease_until = now() + make_interval(secs => $1)
         FROM free WHERE index_version.uid = free.uid RETURNING ${INDEX_VERSION_COLUMNS})
       SELECT * FROM claimed`,
      [leaseMs / 1000],
    );
    if (!claimed) return undefined;
    await this.query(
      `UPDATE ${this.tables.indexVersions} SET (items, carried) = (
         SELECT count(*), count(*) FILTER (WHERE carried_to = $2) FROM ${this.tables.indexed} WHERE ${this.isOfOwner})
       WHERE uid = $2`,
      [claimed.owner_uid, claimed.uid],
    );
    return toIndexVersion(claimed);
  }

  /** Renews the lease of an index version. @param carried rows re-embedded since the last call @returns false when it is not built any more */
  async renew({ uid }: IndexVersion, carried: number, leaseMs: number): Promise<boolean> {
    const rows = await this.query(
      `WITH renewed AS (
         UPDATE ${this.tables.indexVersions} SET carried = carried + $2, problem = NULL, lease_until = now() + make_interval(secs => $3)
         WHERE uid = $1 AND state = 'building' RETURNING uid)
       SELECT uid FROM renewed`,
      [uid, carried, leaseMs / 1000],
    );
    return rows.length > 0;
  }

  /** Releases the lease of an index version for a while. @param problem why building it failed, for people */
  async release({ uid }: IndexVersion, pauseMs: number, problem: string | undefined): Promise<void> {
    await this.query(
      `UPDATE ${this.tables.indexVersions} SET lease_until = now() + make_interval(secs => $2), problem = $3
       WHERE uid = $1 AND state = 'building'`,
      [uid, pauseMs / 1000, problem],
    );
  }

  /** Makes the index version the active one if everything is in it. @returns whether it is done with */
  complete({ uid, ownerUid }: IndexVersion): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      // a statement that marks a row as indexed shares these locks, so that none is marked for the former index version from here on
      const indexVersions = await this.lockIndexVersions(ownerUid, tx);
      if (
        !indexVersions.some((indexVersion) => indexVersion.uid === uid && indexVersion.state === 'building')
      )
        return true;
      const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
      const missing = await manager.query<unknown[]>(
        `SELECT FROM ${this.tables.indexed} WHERE ${this.isOfOwner} AND carried_to IS DISTINCT FROM $2 LIMIT 1`,
        [ownerUid, uid],
      );
      if (missing.length > 0) return false;
      await manager.query(
        `UPDATE ${this.tables.indexVersions} SET state = 'retiring', changed_at = now() WHERE owner_uid = $1 AND state = 'active'`,
        [ownerUid],
      );
      await manager.query(
        `UPDATE ${this.tables.indexVersions} SET state = 'active', changed_at = now(), lease_until = NULL, problem = NULL WHERE uid = $1`,
        [uid],
      );
      // those that the former embedder could not embed
      await manager.query(
        `UPDATE ${this.tables.indexed} SET indexed_at = now()
         WHERE ${this.isOfOwner} AND indexed_at IS NULL AND carried_to = $2`,
        [ownerUid, uid],
      );
      return true;
    });
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
      const [row] = await manager.query<IndexVersionRow[]>(
        `SELECT ${INDEX_VERSION_COLUMNS} FROM ${this.tables.indexVersions} AS index_version
         WHERE state = 'retiring' AND changed_at < now() - make_interval(secs => $1)
         ORDER BY changed_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [graceMs / 1000],
      );
      if (!row) return false;
      await removeVectors(toIndexVersion(row));
      await manager.query(`DELETE FROM ${this.tables.indexVersions} WHERE uid = $1`, [row.uid]);
      return true;
    });
  }

  /** Of all index versions that are being built, as far as it was counted. */
  async progress(): Promise<{ indexVersions: number; items: number; carried: number }> {
    const [row] = await this.query<{ indexVersions: number; items: number; carried: number }>(
      `SELECT count(*)::int AS "indexVersions", coalesce(sum(items), 0)::int AS items,
              coalesce(sum(carried), 0)::int AS carried FROM ${this.tables.indexVersions} WHERE state = 'building'`,
    );
    return row ?? { indexVersions: 0, items: 0, carried: 0 };
  }

  /** Why an index version that is being built is stuck. */
  async problemOf(versionUid: string): Promise<string | undefined> {
    const [row] = await this.query<{ problem: string | null }>(
      `SELECT problem FROM ${this.tables.indexVersions} WHERE uid = $1`,
      [versionUid],
    );
    return row?.problem ?? undefined;
  }

  /** This work belongs to no single owner. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }

  private async lockIndexVersions(ownerUid: string, tx: Transaction): Promise<IndexVersion[]> {
    const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
    const rows = await manager.query<IndexVersionRow[]>(
      `SELECT ${INDEX_VERSION_COLUMNS} FROM ${this.tables.indexVersions} AS index_version WHERE owner_uid = $1 ORDER BY uid FOR UPDATE`,
      [ownerUid],
    );
    return rows.map(toIndexVersion);
  }
}
