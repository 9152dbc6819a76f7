import { setImmediate as others } from 'node:timers/promises';
import { AppError } from '@loci/contracts';
import { type EmbedPriority, PART_CHARACTERS } from '@loci/models';
import { annotate, inChildSpan } from '@loci/platform';
import { type VectorPoint } from '@loci/vectors';
import { type OpenIndexVersion } from '../index-versions/open-index-version.js';
import { type IndexedContent } from './indexed-content.js';

/** Rows read, embedded, upserted and marked together: bounds memory, and what a crash makes us do again. */
export const STEP = 128;

/** Owners whose rows are read or marked at the same time: as many connections to PostgreSQL. */
const LANES = 4;

/** Rows of one owner, and the index version that is to have their vectors. */
export interface OwnerRows {
  readonly open: OpenIndexVersion;
  readonly uids: readonly string[];
}

/** The same for owners who can be embedded by one call and written into one collection. */
export const modelKey = ({ open }: OwnerRows): string =>
  JSON.stringify([open.indexVersion.embedder, open.indexVersion.fingerprint]);

interface OwnerItems<Item> {
  readonly open: OpenIndexVersion;
  readonly items: readonly Item[];
}

/** Why owners could not be served, by their uid. */
export type Failures = Map<string, unknown>;

/**
 * Brings rows of many owners into the collection that they share: one call of the embedder and one write of the index for
 * all of them. Each owner is read, marked and fails on its own.
 */
export class BatchIndexer<Item> {
  constructor(private readonly content: IndexedContent<Item>) {}

  /**
   * Embeds those that have no vector yet, and removes the vectors of those that are gone.
   * @param rows of index versions of one embedder; those of owners with few rows come first
   */
  async bringInLine(rows: readonly OwnerRows[], priority: EmbedPriority): Promise<Failures> {
    const failures: Failures = new Map();
    for (const step of inSteps(rows)) {
      const going = step.filter(({ open }) => !failures.has(ownerOf(open)));
      if (going.length > 0) await inChildSpan('index', {}, () => this.takeStep(going, priority, failures));
    }
    return failures;
  }

  /** Embeds these and notes that the index version has them. */
  async index(open: OpenIndexVersion, items: readonly Item[], priority: EmbedPriority): Promise<void> {
    const batch = items.length > 0 ? [{ open, items }] : [];
    await this.store(batch, priority);
    for (const one of batch) await this.mark(one);
  }

  /** The span tells how many had their vectors already: by a search, by a sweep, of another delivery. */
  private async takeStep(
    step: readonly OwnerRows[],
    priority: EmbedPriority,
    failures: Failures,
  ): Promise<void> {
    const batch: OwnerItems<Item>[] = [];
    const counts = { embedded: 0, removed: 0, there_before: 0 };
    await this.forEachOwner(step, failures, async ({ open, uids }) => {
      const { wanted, gone } = await this.content.sort(open.indexVersion, uids);
      counts.embedded += wanted.length;
      counts.removed += gone.length;
      counts.there_before += uids.length - wanted.length - gone.length;
      if (gone.length > 0) await open.vectors.remove(ownerOf(open), gone);
      if (wanted.length > 0) batch.push({ open, items: wanted });
    });
    annotate(Object.fromEntries(Object.entries(counts).map(([name, n]) => [`loci.index.${name}`, n])));
    const stored = await this.storeEach(batch, priority, failures);
    await this.forEachOwner(stored, failures, (one) => this.mark(one));
  }

  /**
   * All at once; if that fails, each owner alone, so that the text of one does not keep the others out. When the index itself
   * is down, all of them have failed.
   * @returns those whose vectors are there
   */
  private async storeEach(
    batch: readonly OwnerItems<Item>[],
    priority: EmbedPriority,
    failures: Failures,
  ): Promise<readonly OwnerItems<Item>[]> {
    try {
      await this.store(batch, priority);
      return batch;
    } catch (error) {
      if (batch.length === 1 || isIndexOutage(error)) {
        for (const { open } of batch) failures.set(ownerOf(open), error);
        return [];
      }
    }
    const stored: OwnerItems<Item>[] = [];
    for (const one of batch) stored.push(...(await this.storeEach([one], priority, failures)));
    return stored;
  }

  private async store(batch: readonly OwnerItems<Item>[], priority: EmbedPriority): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const texts = batch.flatMap(({ items }) => items.map((item) => this.content.textToEmbed(item)));
    const dense = await first.open.embed(texts, { priority, inputType: 'document' });
    const points = await this.pointsOf(batch, texts, dense);
    await first.open.vectors.upsertAll(
      batch.map(({ open, items }) => ({ tenant: ownerOf(open), points: points.splice(0, items.length) })),
    );
  }

  /** In the sequence of the batch. To count the words of long texts takes a while, in which others have their turns. */
  private async pointsOf(
    batch: readonly OwnerItems<Item>[],
    texts: readonly string[],
    dense: readonly ArrayLike<number>[],
  ): Promise<VectorPoint[]> {
    const points: VectorPoint[] = [];
    let characters = 0;
    for (const item of batch.flatMap(({ items }) => items)) {
      const [text, vector] = [texts[points.length] ?? '', dense[points.length]];
      if (!vector) throw new Error(`The embedder gave ${dense.length} vectors for ${texts.length} texts.`);
      points.push(this.content.toPoint(item, vector));
      characters += text.length;
      if (characters < PART_CHARACTERS) continue;
      await others();
      characters = 0;
    }
    return points;
  }

  private async mark({ open, items }: OwnerItems<Item>): Promise<void> {
    const deletedMeanwhile = await this.content.markIndexed(open.indexVersion, items);
    if (deletedMeanwhile.length > 0) await open.vectors.remove(ownerOf(open), deletedMeanwhile);
  }

  private async forEachOwner<One extends { readonly open: OpenIndexVersion }>(
    all: readonly One[],
    failures: Failures,
    work: (one: One) => Promise<void>,
  ): Promise<void> {
    await inLanes(all, async (one) => {
      await work(one).catch((error: unknown) => failures.set(ownerOf(one.open), error));
    });
  }
}

const ownerOf = ({ indexVersion }: OpenIndexVersion): string => indexVersion.ownerUid;

const isIndexOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'vector_index_unavailable' || error.code === 'vector_index_missing');

/** At most `STEP` rows at a time. An owner with few rows does not wait for one with many. */
export function* inSteps(rows: readonly OwnerRows[]): Generator<OwnerRows[]> {
  let step: OwnerRows[] = [];
  let room = STEP;
  for (const { open, uids } of rows.toSorted((a, b) => a.uids.length - b.uids.length)) {
    for (let start = 0; start < uids.length;) {
      const part = uids.slice(start, start + room);
      step.push({ open, uids: part });
      start += part.length;
      room -= part.length;
      if (room > 0) continue;
      yield step;
      step = [];
      room = STEP;
    }
  }
  if (step.length > 0) yield step;
}

/** Several at the same time. @param work never rejects */
export async function inLanes<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const rest = all.values();
  const lane = async (): Promise<void> => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
