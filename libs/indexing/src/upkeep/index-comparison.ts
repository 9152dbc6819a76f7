import { type StoredPoint, type VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { ContentIndexer } from '../content/content-indexer.js';
import { IndexMarksRepository } from '../content/index-marks.repository.js';
import { FIRST_UID, IndexedTable } from '../index-versions/indexed-table.js';
import { type KnownCollection } from '../index-versions/index-versions.repository.js';

/** Rows and points that are compared at once. */
const SLICE = 500;

/** Rows of each of the two samples. One more is asked for, so that the newest reach to the end, and points behind it are seen. */
const SAMPLE = 128;

/** Rows whose points are renewed in one slice: some seconds of work for the embedded model, if their texts are long. */
const RENEWED = 32;

/** What was compared, and repaired. */
export interface Compared {
  /** Points that no row has, which were removed. */
  readonly removed: number;
  /** Rows whose point is missing, or tells of a change that they never had, which were noted as waiting for it. */
  readonly lost: number;
  /** Rows whose points were of an older recipe and were made again: no difference that anything went wrong. */
  readonly renewed: number;
  /** Where to go on; undefined at the end. */
  readonly next: string | undefined;
}

/** A row that has its vector: whose it is, and the version that its point should have. */
interface ExpectedPoint {
  readonly uid: string;
  readonly owner: string;
  readonly version: number;
}

/**
 * Compares a part of a collection with the rows of the table and repairs both. Rows and points are walked together in the
 * sequence of their uids, so that a part of one answers to the same part of the other.
 */
@Injectable()
export class IndexComparison {
  constructor(
    private readonly marks: IndexMarksRepository,
    private readonly collections: VectorCollections,
    private readonly indexer: ContentIndexer<unknown>,
    private readonly table: IndexedTable,
  ) {}

  /** One slice, beginning with the uid `from`. */
  compare(collection: KnownCollection, from: string): Promise<Compared> {
    return this.compareSlice(collection, from, SLICE);
  }

  /**
   * A sample: a few rows and points from anywhere, which tell of the loss of a share of all, and the newest, which tell of
   * writes that a crash of Qdrant lost. Costs the same at any size.
   * @returns how many differences it found and repaired, and how many points it renewed
   */
  async sample(
    collection: KnownCollection,
  ): Promise<{ readonly differences: number; readonly renewed: number }> {
    const range = await this.marks.uidRange(SAMPLE);
    const starts = range ? [uidBetween(range.first, range.newest, Math.random()), range.newest] : [FIRST_UID];
    const found = { differences: 0, renewed: 0 };
    for (const start of starts) {
      const { removed, lost, renewed } = await this.compareSlice(collection, start, SAMPLE + 1);
      found.differences += removed + lost;
      found.renewed += renewed;
    }
    return found;
  }

  private async compareSlice(collection: KnownCollection, from: string, limit: number): Promise<Compared> {
    const { fingerprint } = collection;
    const vectors = this.collections.get(collection);
    // rows first: a row that is indexed by now has its point when the points are read
    const rows = collection.isInUse ? await this.marks.itemsFrom(fingerprint, from, limit) : [];
    const page = await vectors.scroll({ after: from, limit });
    const ends = [rows.length === limit && rows.at(-1)?.uid, page.next && page.points.at(-1)?.id];
    const next = ends.filter((end) => typeof end === 'string').sort()[0];
    const isInside = (uid: string): boolean => next === undefined || uid <= next;

    const points = new Map(page.points.map((point) => [point.id, point]));
    const indexed = rows.filter((row) => row.isIndexed && isInside(row.uid));
    const behind = indexed.filter(({ uid, version }) => (points.get(uid)?.version ?? 0) < version);
    const { missing, outdated } = await this.lookAgain(vectors, behind);
    if (missing.length > 0) await this.marks.markLost(fingerprint, missing);
    const ahead = await this.takeBack(fingerprint, vectors, indexed, points);
    const { renewed, left } = await this.renew(outdated);

    const expected = new Set(indexed.map(({ uid }) => uid));
    const unexpected = page.points.filter(({ id }) => isInside(id) && !expected.has(id));
    const removed = await this.removeStrays(fingerprint, vectors, unexpected);
    return { removed, lost: missing.length + ahead, renewed, next: left ?? next };
  }

  /** Asks for them once more: a part of Qdrant may have answered later than another. */
  private async lookAgain(
    vectors: VectorIndex,
    behind: readonly ExpectedPoint[],
  ): Promise<{ readonly missing: string[]; readonly outdated: ExpectedPoint[] }> {
    const versions = await vectors.versions(behind.map(({ uid }) => uid));
    const still = behind.filter(({ uid, version }) => (versions.get(uid) ?? 0) < version);
    return {
      missing: still.flatMap(({ uid }) => (versions.has(uid) ? [] : [uid])),
      outdated: still.filter(({ uid }) => versions.has(uid)),
    };
  }

  /**
   * Removes points of changes that their rows never had: the table was restored to an earlier moment. The index keeps what is
   * newer, so that such a point would tell of another text until as many changes were made again. A newer recipe is left to
   * the newer version of Loci that made it.
   * @returns how many
   */
  private async takeBack(
    fingerprint: string,
    vectors: VectorIndex,
    rows: readonly ExpectedPoint[],
    points: ReadonlyMap<string, StoredPoint>,
  ): Promise<number> {
    const isAhead = (uid: string, version: number): boolean =>
      this.isOfLaterChange(points.get(uid)?.version ?? 0, version);
    const suspects = rows.filter(({ uid, version }) => isAhead(uid, version));
    // a row is changed before its point: one that was changed since it was read is not behind any more
    const versions = await this.marks.rowVersions(
      fingerprint,
      suspects.map(({ uid }) => uid),
    );
    const ahead = suspects.filter(({ uid }) => isAhead(uid, versions.get(uid) ?? Infinity));
    const uids = ahead.map(({ uid }) => uid);
    for (const owner of new Set(ahead.map((row) => row.owner))) {
      await vectors.remove(
        owner,
        ahead.flatMap((row) => (row.owner === owner ? [row.uid] : [])),
      );
    }
    // noted last, so that a row whose point was made again and removed waits again
    if (uids.length > 0) await this.marks.markLost(fingerprint, uids);
    return uids.length;
  }

  private isOfLaterChange(version: number, expected: number): boolean {
    const recipeOf = (of: number): number => Math.floor(of / this.table.versionsPerRecipe);
    return version > expected && recipeOf(version) === recipeOf(expected);
  }

  /**
   * Makes points of an older recipe again, a few at a time. Their rows do not wait meanwhile: searches find them as before.
   * @returns how many, and the first that is left for the next slice
   */
  private async renew(
    outdated: readonly ExpectedPoint[],
  ): Promise<{ readonly renewed: number; readonly left: string | undefined }> {
    const taken = outdated.slice(0, RENEWED);
    for (const owner of new Set(taken.map((point) => point.owner))) {
      const uids = taken.filter((point) => point.owner === owner).map(({ uid }) => uid);
      await this.indexer.renew(owner, uids);
    }
    return { renewed: taken.length, left: outdated[RENEWED]?.uid };
  }

  private async removeStrays(
    fingerprint: string,
    vectors: VectorIndex,
    points: readonly { readonly id: string; readonly tenant: string }[],
  ): Promise<number> {
    if (points.length === 0) return 0;
    const wanted = await this.marks.mayHaveVectors(
      fingerprint,
      points.map(({ id }) => id),
    );
    const strays = points.filter(({ id }) => !wanted.has(id));
    for (const tenant of new Set(strays.map((point) => point.tenant))) {
      const ids = strays.filter((point) => point.tenant === tenant).map(({ id }) => id);
      await vectors.remove(tenant, ids);
    }
    return strays.length;
  }
}

/** Hexadecimal digits of a uid that a number holds exactly: the time, where it is a UUID v7. */
const PREFIX_DIGITS = 12;

/** A uid at a share of the way between two others, which need not be that of a row. */
export function uidBetween(first: string, last: string, share: number): string {
  const [from, to] = [first, last].map((uid) =>
    parseInt(uid.replaceAll('-', '').slice(0, PREFIX_DIGITS), 16),
  );
  const prefix = Math.floor((from ?? 0) + share * ((to ?? 0) - (from ?? 0)));
  const digits = prefix.toString(16).padStart(PREFIX_DIGITS, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
