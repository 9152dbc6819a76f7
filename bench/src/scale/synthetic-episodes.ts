import { encodeDocument } from '@loci/models';
import { eventually } from '@loci/testing';
import { type VectorIndex, type VectorPoint } from '@loci/vectors';
import type pg from 'pg';

const WORDS =
  'tea parcel office garden train invoice holiday music doctor kitchen school river market lamp paint bread'.split(
    ' ',
  );

const DIMENSIONS = 384;

/** Episodes of one insert and of one upsert. */
const BATCH = 500;

const BEGUN_MS = Date.parse('2024-01-01T00:00:00Z');
const DISTANCE_MS = 60_000;

/** What an episode's point says of the recipe it was made by: never older than the product's. */
const VERSION = 1_000;

export interface Filling {
  readonly database: pg.Pool;
  readonly vectors: VectorIndex;
  /** How many episodes each project gets, by its uid. */
  readonly projects: ReadonlyMap<string, number>;
}

/** Projects that are filled at the same time: PostgreSQL works on one while Qdrant works on another. */
const LANES = 3;

/**
 * Puts indexed episodes with random vectors straight into PostgreSQL and the vector index: embedding a million texts
 * would take hours and change nothing about the search.
 */
export async function fillWithEpisodes(
  { database, vectors, projects }: Filling,
  onFilled: (episodes: number) => void,
): Promise<void> {
  const rest = projects.entries();
  const lane = async (): Promise<void> => {
    for (const [projectUid, count] of rest) {
      for (let first = 0; first < count; first += BATCH) {
        const size = Math.min(BATCH, count - first);
        const uids = await insert(database, projectUid, first, size);
        const points = uids.map((uid, index) => pointOf(uid, first + index));
        await eventually(() => vectors.upsert(projectUid, points).then(() => true), {
          what: 'the vectors are stored',
        });
        onFilled(size);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function insert(database: pg.Pool, projectUid: string, first: number, size: number): Promise<string[]> {
  const numbers = Array.from({ length: size }, (_, index) => first + index);
  const { rows } = await database.query<{ uid: string }>(
    `INSERT INTO episodic.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                                    created_at, in_short_term, in_long_term, is_semantic, indexed_at)
     SELECT gen_random_uuid(), $1, content, producer, 'user', '', '{}', to_timestamp(at / 1000.0), false, true, false, now()
     FROM unnest($2::text[], $3::text[], $4::float8[]) AS given(content, producer, at) RETURNING uid`,
    [projectUid, numbers.map(contentOf), numbers.map((n) => `guest ${n % 50}`), numbers.map(timeOf)],
  );
  return rows.map(({ uid }) => uid);
}

const pointOf = (uid: string, n: number): VectorPoint => ({
  id: uid,
  dense: randomUnitVector(),
  sparse: encodeDocument(contentOf(n)),
  version: VERSION,
  payload: {
    metadata: {},
    createdAt: new Date(timeOf(n)).toISOString(),
    fields: { producer_id: `guest ${n % 50}` },
  },
});

const timeOf = (n: number): number => BEGUN_MS + n * DISTANCE_MS;

const contentOf = (n: number): string => `Note ${n}: ${noteAbout(n)}, said guest ${n % 50}.`;

/** What the n-th note is about; also a query that many notes answer somewhat. */
export function noteAbout(n: number): string {
  const word = (factor: number): string => WORDS[(n * factor + factor) % WORDS.length] ?? '';
  return `the ${word(1)} and the ${word(7)} came before the ${word(3)}`;
}

/** Of few digits, because most of the time that filling takes goes into writing and reading them. */
function randomUnitVector(): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5);
  const norm = Math.hypot(...vector);
  return vector.map((value) => Math.round((value / norm) * 1e4) / 1e4);
}
