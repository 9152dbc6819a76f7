import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { FIRST_UID, IndexedTable } from '../index-versions/indexed-table.js';
import { readBacklog } from './read-backlog.sql.js';
import { holdsMoreThan } from './holds-more-than.sql.js';
import { itemsFrom } from './items-from.sql.js';
import { markAllLost } from './mark-all-lost.sql.js';
import { markLost } from './mark-lost.sql.js';
import { mayHaveVectors } from './may-have-vectors.sql.js';
import { rowVersions } from './row-versions.sql.js';
import { uidRange } from './uid-range.sql.js';

const statementsOf = (table: IndexedTable) => ({
  holdsMoreThan: holdsMoreThan(table),
  itemsFrom: itemsFrom(table),
  markAllLost: markAllLost(table),
  markLost: markLost(table),
  mayHaveVectors: mayHaveVectors(table),
  readBacklog: readBacklog(table),
  rowVersions: rowVersions(table),
  uidRange: uidRange(table),
});

/** What is done for a collection is done for all of its owners. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** Which rows, of any owner, have their vectors. What is about a collection is about the active index versions in it. */
@Injectable()
export class IndexMarksRepository {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    table: IndexedTable,
  ) {
    this.statements = statementsOf(table);
  }

  /** Notes that these rows lost their vectors in a collection. */
  async markLost(fingerprint: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.execute(this.statements.markLost, [fingerprint, uids], IN_ALL);
  }

  /**
   * Notes, for up to `limit` rows whose vectors are in a collection, that they are lost.
   * @param after the uid of the last one that was noted before
   * @returns how many were noted, and the last of them; none when none is left
   */
  async markAllLost(
    fingerprint: string,
    limit: number,
    after = FIRST_UID,
  ): Promise<{ readonly marked: number; readonly last: string | undefined }> {
    const values = [fingerprint, after, limit];
    const [row] = await this.unitOfWork.execute(this.statements.markAllLost, values, IN_ALL);
    return { marked: row?.marked ?? 0, last: row?.last ?? undefined };
  }

  /** Whether a collection holds the vectors of more rows than that, as far as the tables know. */
  async holdsMoreThan(fingerprint: string, count: number): Promise<boolean> {
    const [row] = await this.unitOfWork.execute(this.statements.holdsMoreThan, [fingerprint, count], IN_ALL);
    return row?.holds_more ?? false;
  }

  /** How far the index is behind. */
  async backlog(): Promise<{ items: number; oldestSeconds: number }> {
    const [row] = await this.unitOfWork.execute(this.statements.readBacklog, [], IN_ALL);
    return { items: row?.items ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  /** The next rows by uid, beginning with `from`, and whether each has its vector in a collection. */
  itemsFrom(
    fingerprint: string,
    from: string,
    limit: number,
  ): Promise<{ uid: string; owner: string; version: number; isIndexed: boolean }[]> {
    return this.unitOfWork.execute(this.statements.itemsFrom, [fingerprint, from, limit], IN_ALL);
  }

  /** The versions that the points of these rows should have in a collection by now. */
  async rowVersions(fingerprint: string, uids: readonly string[]): Promise<Map<string, number>> {
    if (uids.length === 0) return new Map();
    const rows = await this.unitOfWork.execute(this.statements.rowVersions, [fingerprint, uids], IN_ALL);
    return new Map(rows.map(({ uid, version }) => [uid, version]));
  }

  /** The first uid of all rows, and that with which the last `count` of them begin; undefined when there are none. */
  async uidRange(count: number): Promise<{ first: string; newest: string } | undefined> {
    const [row] = await this.unitOfWork.execute(this.statements.uidRange, [count], IN_ALL);
    return row?.first && row.newest ? { first: row.first, newest: row.newest } : undefined;
  }

  /** Those of the uids that may have a vector in a collection. */
  async mayHaveVectors(fingerprint: string, uids: readonly string[]): Promise<Set<string>> {
    const rows = await this.unitOfWork.execute(this.statements.mayHaveVectors, [fingerprint, uids], IN_ALL);
    return new Set(rows.map(({ uid }) => uid));
  }
}
