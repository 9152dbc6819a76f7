import { miniLm } from '@loci/models';
import { eventually, Loci } from '@loci/testing';
import { QdrantVectorIndex } from '@loci/vectors';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { processorMs } from '../processor-time.js';
import { Progress } from '../retrieval/progress.js';
import { fillWithEpisodes, noteAbout } from './synthetic-episodes.js';
import { type Latency, send, timeRequests } from './timed-requests.js';

export interface Scale {
  readonly episodes: number;
  readonly projects: number;
  /** Episodes of the project that is searched; the others share the rest. */
  readonly searched: number;
  readonly quantized: boolean;
}

export interface ScaleOptions {
  /** Searches, and adds, that are timed. */
  readonly requests: number;
}

export interface ScaleResult extends Scale {
  readonly search: Latency;
  readonly add: Latency;
  /** Resident memory of Qdrant, without what it takes when empty. */
  readonly qdrantMb: number;
}

const WARM_UP = 50;

/** Row security shows a connection nothing unless it says whose rows it is about. */
const EVERY_TENANT = '-c loci.scope=*';

/** Fills a product of its own and measures searches and adds in one of its projects. */
export async function measureScale(
  scale: Scale,
  databaseUrl: string,
  { requests }: ScaleOptions,
): Promise<ScaleResult> {
  const env = {
    DATABASE_URL: databaseUrl,
    QDRANT_QUANTIZED: String(scale.quantized),
    // while episodes are put in from outside, the vectors come after their rows
    RECONCILE_CHECK_INTERVAL_MS: '86400000',
  };
  const loci = await Loci.start({ env, sweeps: 'as delivered' });
  const database = new pg.Pool({ connectionString: databaseUrl, options: EVERY_TENANT });
  try {
    const emptyMb = await qdrantMb(loci);
    await fill(loci, database, scale);
    const qdrant = (await qdrantMb(loci)) - emptyMb;
    const spent = (): Promise<number | undefined> => processorMs(loci.pid);
    const searches = Array.from({ length: WARM_UP + requests }, (_, n) => ({
      ...PROJECT,
      query: noteAbout(7 * n),
    }));
    const adds = Array.from({ length: requests }, (_, n) => ({
      ...PROJECT,
      messages: [{ content: `A further note, number ${n}.` }],
    }));
    await timeRequests(`${loci.url}${SEARCH}`, searches.slice(0, WARM_UP), spent);
    const search = await timeRequests(`${loci.url}${SEARCH}`, searches.slice(WARM_UP), spent);
    const add = await timeRequests(`${loci.url}${ADD}`, adds, spent);
    return { ...scale, search, add, qdrantMb: qdrant };
  } finally {
    await database.end();
    await loci.destroy();
  }
}

const ADD = '/api/v2/memories';
const SEARCH = '/api/v2/memories/search';

/** The one that is searched. */
const PROJECT = { org_id: 'scale', project_id: '0', types: ['episodic'] };

async function fill(loci: Loci, database: pg.Pool, scale: Scale): Promise<void> {
  const { fingerprint, dimensions } = miniLm();
  const qdrant = await loci.qdrant();
  const vectors = new QdrantVectorIndex({
    ...qdrant,
    prefix: 'episodes',
    fingerprint,
    dimensions,
    quantized: scale.quantized,
    writeTimeoutMs: FILL_TIMEOUT_MS,
  });
  const projects = await openProjects(loci, database, scale);
  const progress = new Progress(`filling (${scale.episodes} in ${scale.projects})`, scale.episodes);
  await fillWithEpisodes({ database, vectors, projects }, (done) => progress.advance(done));
  await database.query('VACUUM ANALYZE episodic.episodes');
  await eventually(() => isOptimized(qdrant, vectors.collection), {
    what: 'Qdrant has optimized its segments',
    timeoutMs: FILL_TIMEOUT_MS,
  });
}

const FILL_TIMEOUT_MS = 3_600_000;

/** Green: no optimization of the collection is under way or due. */
async function isOptimized(
  { url, apiKey }: Awaited<ReturnType<Loci['qdrant']>>,
  collection: string,
): Promise<boolean> {
  const answer = await fetch(`${url}/collections/${collection}`, { headers: { 'api-key': apiKey } });
  const { result } = (await answer.json()) as { result: { status: string } };
  return result.status === 'green';
}

/** Adding to a project opens it. @returns how many episodes each is to have, by uid */
async function openProjects(
  loci: Loci,
  database: pg.Pool,
  { episodes, projects, searched }: Scale,
): Promise<Map<string, number>> {
  const progress = new Progress('opening projects', projects);
  for (let n = 0; n < projects; n += 1) {
    const messages = [{ content: 'The first note.' }];
    await send(`${loci.url}${ADD}`, { ...PROJECT, project_id: String(n), messages });
    progress.advance();
  }
  const isIndexed = async (): Promise<boolean> => {
    const { rows } = await database.query<{ waiting: number }>(
      'SELECT count(*)::int AS waiting FROM episodic.episodes WHERE indexed_at IS NULL',
    );
    return rows[0]?.waiting === 0;
  };
  await eventually(isIndexed, { what: 'the first notes are indexed', timeoutMs: FILL_TIMEOUT_MS });
  const { rows } = await database.query<{ uid: string; project_id: string }>(
    `SELECT uid, project_id FROM episodic.projects WHERE org_id = $1`,
    [PROJECT.org_id],
  );
  if (rows.length !== projects) throw new Error(`${rows.length} projects are open instead of ${projects}.`);
  const share = Math.ceil((episodes - searched) / Math.max(1, projects - 1));
  return new Map(
    rows.map(({ uid, project_id }) => [uid, project_id === PROJECT.project_id ? searched : share]),
  );
}

/** Linux only. */
async function qdrantMb(loci: Loci): Promise<number> {
  const { pid } = await loci.process('qdrant');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
