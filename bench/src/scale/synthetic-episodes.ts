import { encodeDocument } from '@loci/models';
import { PAYLOAD_KEYS, toPointStruct } from '@loci/vectors';
import type pg from 'pg';
import { batchesOf, type NumberedEpisode } from './numbered-episodes.js';

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

const BEGUN_MS = Date.parse('2024-01-01T00:00:00Z');
const DISTANCE_MS = 60_000;

/** What an episode's point says of the recipe it was made by: never older than the product's. */
const VERSION = 1_000;

export interface Filling {
  readonly database: pg.Pool;
  readonly qdrant: { readonly url: string; readonly apiKey: string };
  readonly collection: string;
  readonly dimensions: number;
  /** How many episodes each project gets, by its uid. */
  readonly projects: ReadonlyMap<string, number>;
}

/** Batches that are stored at the same time: PostgreSQL works on one while Qdrant works on another. */
const LANES = 3;

/**
 * Puts indexed episodes with random vectors straight into PostgreSQL and Qdrant, by as little of the processor as is
 * possible: embedding ten million texts would take a day and change nothing about the search.
 */
export async function fillWithEpisodes(
  { database, projects, ...target }: Filling,
  onFilled: (episodes: number) => void,
): Promise<void> {
  const rest = batchesOf(projects);
  const points = pointsOf(target.dimensions);
  const lane = async (): Promise<void> => {
    for (const batch of rest) {
      await insert(database, batch);
      const body = batch.map(points).join();
      await upsert(target, `{"points":[${body}]}`);
      onFilled(batch.length);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function insert(database: pg.Pool, episodes: readonly NumberedEpisode[]): Promise<void> {
  await database.query({
    name: 'fill',
    text: `INSERT INTO episodic.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                                          conversation, created_at, in_short_term, in_long_term, is_semantic, indexed_at,
                                          embedded_after)
     SELECT uid, project_uid, content, 'guest ' || n % ${GUESTS}, 'user', '', '{}', '${OF_PROJECT}',
            to_timestamp((${BEGUN_MS} + n::float8 * ${DISTANCE_MS}) / 1000.0), false, true, false, now(), previous_uid
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[]) AS given(uid, previous_uid, project_uid, n, content)`,
    values: [
      episodes.map(({ uid }) => uid),
      episodes.map(({ previousUid }) => previousUid),
      episodes.map(({ projectUid }) => projectUid),
      episodes.map(({ n }) => n),
      episodes.map(({ n }) => contentOf(n)),
    ],
  });
}

async function upsert(
  { qdrant, collection }: Omit<Filling, 'database' | 'projects'>,
  body: string,
): Promise<void> {
  const send = (): Promise<Response> =>
    fetch(`${qdrant.url}/collections/${collection}/points?wait=true`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'api-key': qdrant.apiKey },
      body,
    });
  // it closes connections that were idle for a while, which can meet a request on its way
  const answer = await send().catch(send);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Qdrant answered ${answer.status}: ${text}`);
}

/** Of the numbers that were asked for so far, because each comes once in every project. */
const KNOWN_POINTS = 20_000;

/** @returns the JSON of a point: all but its ids is the same in every project, and made once */
function pointsOf(dimensions: number): (episode: NumberedEpisode) => string {
  const known = new Map<number, string>();
  const rest = (n: number): string => {
    const found = known.get(n);
    if (found !== undefined) return found;
    const { vector, payload } = toPointStruct('', {
      id: '',
      dense: randomUnitVector(dimensions),
      sparse: encodeDocument(contentOf(n)),
      version: VERSION,
      payload: {
        metadata: {},
        createdAt: new Date(BEGUN_MS + n * DISTANCE_MS).toISOString(),
        fields: { producer_id: `guest ${n % GUESTS}` },
      },
    });
    const json = `"vector":${JSON.stringify(vector)},"payload":${JSON.stringify(payload)}`;
    if (known.size < KNOWN_POINTS) known.set(n, json);
    return json;
  };
  return ({ uid, projectUid, n }) => `{"id":"${uid}",${rest(n).replace(NO_TENANT, `$1"${projectUid}"`)}}`;
}

/** Where a point names its tenant. */
const NO_TENANT = new RegExp(`("${PAYLOAD_KEYS.tenant}":)""`);

const GUESTS = 50;

/** The conversation of what says nothing about it; without one, the worker would look for that of each in the background. */
const OF_PROJECT = '00000000-0000-0000-0000-000000000000';

/**
 * Of 115 characters, as a message of a chat. Its words are of 8,000, so that none is in every episode: the index of words takes
 * as long for a word as there are texts with it in its newest part.
 */
const contentOf = (n: number): string =>
  `${n}: ${noteAbout(n)} ${Array.from({ length: 12 }, (_, index) => wordOf(n * 31 + index * 977)).join(' ')}`.slice(
    0,
    CHARACTERS,
  );

const CHARACTERS = 115;

/** What the n-th note is about; also a query that many notes answer somewhat. */
export const noteAbout = (n: number): string =>
  `the ${wordOf(n)} and the ${wordOf(n * 7)} of the ${wordOf(n * 3)}`;

function wordOf(n: number): string {
  const syllable = (digit: number): string =>
    SYLLABLES[Math.floor(n / SYLLABLES.length ** digit) % SYLLABLES.length] ?? '';
  return syllable(0) + syllable(1) + syllable(2);
}

/** Of few digits, because most of the time that filling takes goes into writing and reading them. */
function randomUnitVector(dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const norm = Math.hypot(...vector);
  return vector.map((value) => Math.round((value / norm) * 1e4) / 1e4);
}
