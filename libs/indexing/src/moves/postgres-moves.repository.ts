import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type IndexSpace, type SpaceModel } from '../spaces/index-space.js';
import { IndexedTable, tablesOf } from '../spaces/indexed-table.js';
import { SPACE_COLUMNS, type SpaceRow, toSpace } from '../spaces/space-rows.js';
import { type Move, MovesRepository } from './moves.repository.js';

interface DueRow {
  readonly owner_uid: string;
  readonly embedder: string;
  readonly fingerprint: string;
  readonly dimensions: number;
}

@Injectable()
export class PostgresMovesRepository extends MovesRepository {
  private readonly tables: ReturnType<typeof tablesOf>;
  private readonly isOfOwner: string;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    super();
    this.tables = tablesOf(table);
    this.isOfOwner = `${table.ownerColumn} = $1 AND ${table.belongs}`;
  }

  override async chosenNames(): Promise<string[]> {
    const rows = await this.query<{ embedder: string }>(
      `SELECT DISTINCT embedder FROM (${this.table.owners}) AS owner WHERE embedder <> ''`,
    );
    return rows.map(({ embedder }) => embedder);
  }

  override async due(models: readonly SpaceModel[], defaultName: string, limit: number): Promise<Move[]> {
    const rows = await this.query<DueRow>(
      `SELECT owner.uid AS owner_uid, model.embedder, model.fingerprint, model.dimensions
       FROM (${this.table.owners}) AS owner
       JOIN ${this.tables.spaces} AS active ON active.owner_uid = owner.uid AND active.state = 'active'
       LEFT JOIN ${this.tables.spaces} AS building ON building.owner_uid = owner.uid AND building.state = 'building'
       JOIN json_to_recordset($1::json) AS model(embedder text, fingerprint text, dimensions int)
         ON model.embedder = coalesce(nullif(owner.embedder, ''), $2)
       WHERE (coalesce(building.fingerprint, active.fingerprint), coalesce(building.embedder, active.embedder))
             IS DISTINCT FROM (model.fingerprint, model.embedder)
       LIMIT $3`,
      [JSON.stringify(models), defaultName, limit],
    );
    return rows.map(({ owner_uid: ownerUid, ...to }) => ({ ownerUid, to }));
  }

  override begin({ ownerUid, to }: Move): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const spaces = await this.lockSpaces(ownerUid, tx);
      const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
      const active = spaces.find(({ state }) => state === 'active');
      const building = spaces.find(({ state }) => state === 'building');
      if (!active) return;
      if (building && building.fingerprint !== to.fingerprint) {
        await manager.query(
          `UPDATE ${this.tables.spaces} SET state = 'retiring', changed_at = now(), lease_until = NULL WHERE uid = $1`,
          [building.uid],
        );
      }
      const same = [active, building].find((space) => space?.fingerprint === to.fingerprint);
      if (same) {
        await manager.query(`UPDATE ${this.tables.spaces} SET embedder = $2 WHERE uid = $1`, [
          same.uid,
          to.embedder,
        ]);
        return;
      }
      await manager.query(
        `DELETE FROM ${this.tables.spaces} WHERE owner_uid = $1 AND fingerprint = $2 AND state = 'retiring'`,
        [ownerUid, to.fingerprint],
      );
      await manager.query(
        `INSERT INTO ${this.tables.spaces} (uid, owner_uid, fingerprint, dimensions, embedder, state)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, 'building')`,
        [ownerUid, to.fingerprint, to.dimensions, to.embedder],
      );
    });
  }

  override async claim(leaseMs: number): Promise<IndexSpace | undefined> {
    const [claimed] = await this.query<SpaceRow>(
      `WITH free AS (
         SELECT space.uid FROM ${this.tables.spaces} AS space JOIN (${this.table.owners}) AS owner ON owner.uid = space.owner_uid
         WHERE space.state = 'building' AND coalesce(lease_until, '-infinity') < now()
         ORDER BY space.lease_until NULLS FIRST, space.changed_at LIMIT 1 FOR UPDATE OF space SKIP LOCKED
       ), claimed AS (
         UPDATE ${this.tables.spaces} AS space SET lease_until = now() + make_interval(secs => $1)
         FROM free WHERE space.uid = free.uid RETURNING ${SPACE_COLUMNS})
       SELECT * FROM claimed`,
      [leaseMs / 1000],
    );
    if (!claimed) return undefined;
    await this.query(
      `UPDATE ${this.tables.spaces} SET (items, carried) = (
         SELECT count(*), count(*) FILTER (WHERE carried_to = $2) FROM ${this.tables.indexed} WHERE ${this.isOfOwner})
       WHERE uid = $2`,
      [claimed.owner_uid, claimed.uid],
    );
    return toSpace(claimed);
  }

  override async renew({ uid }: IndexSpace, carried: number, leaseMs: number): Promise<boolean> {
    const rows = await this.query(
      `WITH renewed AS (
         UPDATE ${this.tables.spaces} SET carried = carried + $2, problem = NULL, lease_until = now() + make_interval(secs => $3)
         WHERE uid = $1 AND state = 'building' RETURNING uid)
       SELECT uid FROM renewed`,
      [uid, carried, leaseMs / 1000],
    );
    return rows.length > 0;
  }

  override async release({ uid }: IndexSpace, pauseMs: number, problem: string | undefined): Promise<void> {
    await this.query(
      `UPDATE ${this.tables.spaces} SET lease_until = now() + make_interval(secs => $2), problem = $3
       WHERE uid = $1 AND state = 'building'`,
      [uid, pauseMs / 1000, problem],
    );
  }

  override complete({ uid, ownerUid }: IndexSpace): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      // whoever notes a row as indexed shares these locks, so that none is noted for the former space from here on
      const spaces = await this.lockSpaces(ownerUid, tx);
      if (!spaces.some((space) => space.uid === uid && space.state === 'building')) return true;
      const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
      const missing = await manager.query<unknown[]>(
        `SELECT FROM ${this.tables.indexed} WHERE ${this.isOfOwner} AND carried_to IS DISTINCT FROM $2 LIMIT 1`,
        [ownerUid, uid],
      );
      if (missing.length > 0) return false;
      await manager.query(
        `UPDATE ${this.tables.spaces} SET state = 'retiring', changed_at = now() WHERE owner_uid = $1 AND state = 'active'`,
        [ownerUid],
      );
      await manager.query(
        `UPDATE ${this.tables.spaces} SET state = 'active', changed_at = now(), lease_until = NULL, problem = NULL WHERE uid = $1`,
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

  override removeRetired(
    graceMs: number,
    removeVectors: (space: IndexSpace) => Promise<void>,
  ): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const manager = await scopedManager(tx, ROWS_OF_ALL);
      const [row] = await manager.query<SpaceRow[]>(
        `SELECT ${SPACE_COLUMNS} FROM ${this.tables.spaces} AS space
         WHERE state = 'retiring' AND changed_at < now() - make_interval(secs => $1)
         ORDER BY changed_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [graceMs / 1000],
      );
      if (!row) return false;
      await removeVectors(toSpace(row));
      await manager.query(`DELETE FROM ${this.tables.spaces} WHERE uid = $1`, [row.uid]);
      return true;
    });
  }

  override async progress(): Promise<{ spaces: number; items: number; carried: number }> {
    const [row] = await this.query<{ spaces: number; items: number; carried: number }>(
      `SELECT count(*)::int AS spaces, coalesce(sum(items), 0)::int AS items,
              coalesce(sum(carried), 0)::int AS carried FROM ${this.tables.spaces} WHERE state = 'building'`,
    );
    return row ?? { spaces: 0, items: 0, carried: 0 };
  }

  override async problemOf(spaceUid: string): Promise<string | undefined> {
    const [row] = await this.query<{ problem: string | null }>(
      `SELECT problem FROM ${this.tables.spaces} WHERE uid = $1`,
      [spaceUid],
    );
    return row?.problem ?? undefined;
  }

  /** This is nobody's work in particular. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }

  private async lockSpaces(ownerUid: string, tx: Transaction): Promise<IndexSpace[]> {
    const manager = await scopedManager(tx, this.table.scopeOf(ownerUid));
    const rows = await manager.query<SpaceRow[]>(
      `SELECT ${SPACE_COLUMNS} FROM ${this.tables.spaces} AS space WHERE owner_uid = $1 ORDER BY uid FOR UPDATE`,
      [ownerUid],
    );
    return rows.map(toSpace);
  }
}
