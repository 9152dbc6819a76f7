import { miniLm } from '@loci/models';
import { eventually } from '@loci/testing';
import { Progress } from '../retrieval/progress.js';
import { type ScaledProduct } from './scaled-product.js';
import { ORGANIZATION, type Scale, SEARCHED } from './scale.js';
import { fillWithEpisodes } from './synthetic-episodes.js';
import { request } from './timed-requests.js';

const FILL_TIMEOUT_MS = 3_600_000;

/** Opens the projects as clients do, then puts the other episodes in. */
export async function fillProduct(product: ScaledProduct, scale: Scale): Promise<void> {
  if (scale.dimensions !== undefined) await product.embedWith(scale.dimensions);
  const projects = await openProjects(product, scale);
  const qdrant = await product.loci.qdrant();
  const collection = `episodes_${await fingerprintOf(product)}`;
  const dimensions = scale.dimensions ?? miniLm().dimensions;
  const progress = new Progress(`filling (${scale.episodes} in ${scale.projects})`, scale.episodes);
  await setOptimizer(qdrant, collection, fillingWith(dimensions));
  await fillWithEpisodes({ database: product.database, qdrant, collection, dimensions, projects }, (done) =>
    progress.advance(done),
  );
  await product.database.query('VACUUM ANALYZE episodic.episodes');
  await setOptimizer(qdrant, collection, AS_DELIVERED);
  await eventually(() => isOptimized(qdrant, collection), {
    what: 'Qdrant has optimized its segments',
    timeoutMs: FILL_TIMEOUT_MS,
  });
}

type Qdrant = Awaited<ReturnType<ScaledProduct['loci']['qdrant']>>;

/** Qdrant begins a new part of a segment beyond so many kilobytes of vectors, and merges segments beyond a number. */
const AS_DELIVERED = { indexing_threshold: 10_000, default_segment_number: 0 };

/** Points of a segment while it is filled: one of 200,000 takes four times as long for each. */
const FILLED_POINTS = 23_000;
const BYTES_OF_NUMBER = 4;

/** It merges most of what was put in once, in the end, instead of again and again. */
const fillingWith = (dimensions: number): object => ({
  indexing_threshold: Math.ceil((FILLED_POINTS * dimensions * BYTES_OF_NUMBER) / 1_000),
  default_segment_number: 50,
});

const setOptimizer = (
  { url, apiKey }: Qdrant,
  collection: string,
  optimizers_config: object,
): Promise<void> =>
  request('PATCH', `${url}/collections/${collection}`, { optimizers_config }, { 'api-key': apiKey });

/** Of the embedder by which the projects are indexed. */
async function fingerprintOf({ database }: ScaledProduct): Promise<string> {
  const { rows } = await database.query<{ fingerprint: string }>(
    `SELECT DISTINCT fingerprint FROM episodic.index_spaces`,
  );
  const [only] = rows;
  if (!only || rows.length > 1) throw new Error(`The projects have ${rows.length} embedders.`);
  return only.fingerprint;
}

/** Green: no optimization of the collection is under way or due. */
async function isOptimized({ url, apiKey }: Qdrant, collection: string): Promise<boolean> {
  const answer = await fetch(`${url}/collections/${collection}`, { headers: { 'api-key': apiKey } });
  const { result } = (await answer.json()) as { result: { status: string } };
  return result.status === 'green';
}

/**
 * Adding to a project opens it. The others are copies of the rows of the first: opening ten thousand takes longer than
 * filling them.
 * @returns how many episodes each is to have, by uid
 */
async function openProjects(
  { loci, database }: ScaledProduct,
  { episodes, projects, searched }: Scale,
): Promise<Map<string, number>> {
  const messages = [{ content: 'The first note.' }];
  await request('POST', `${loci.url}/api/v2/memories`, { ...SEARCHED, types: ['episodic'], messages });
  const isIndexed = async (): Promise<boolean> => {
    const { rows } = await database.query<{ waiting: number }>(
      'SELECT count(*)::int AS waiting FROM episodic.episodes WHERE indexed_at IS NULL',
    );
    return rows[0]?.waiting === 0;
  };
  await eventually(isIndexed, { what: 'the first note is indexed' });
  await database.query(COPY_PROJECT, [projects - 1]);
  const { rows } = await database.query<{ uid: string; project_id: string }>(
    `SELECT uid, project_id FROM episodic.projects WHERE org_id = $1`,
    [ORGANIZATION],
  );
  const share = Math.ceil((episodes - searched) / Math.max(1, projects - 1));
  return new Map(
    rows.map(({ uid, project_id }) => [uid, project_id === SEARCHED.project_id ? searched : share]),
  );
}

/** Parameter: how often. */
const COPY_PROJECT = `
WITH other AS (
  SELECT gen_random_uuid() AS uid, n::text AS project_id FROM generate_series(1, $1::int) AS n
), named AS (
  INSERT INTO config.projects
  SELECT (jsonb_populate_record(row, jsonb_build_object(
    'uid', other.uid, 'project_id', other.project_id, 'project_skeleton', other.project_id))).*
  FROM config.projects AS row, other
), opened AS (
  INSERT INTO episodic.projects
  SELECT (jsonb_populate_record(row, to_jsonb(other))).* FROM episodic.projects AS row, other
)
INSERT INTO episodic.index_spaces
SELECT (jsonb_populate_record(row, jsonb_build_object('uid', gen_random_uuid(), 'owner_uid', other.uid))).*
FROM episodic.index_spaces AS row, other`;
