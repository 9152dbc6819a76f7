import { miniLm } from '@loci/models';
import { eventually, Loci } from '@loci/testing';
import { QdrantVectorIndex } from '@loci/vectors';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { Progress } from '../retrieval/progress.js';
import { fillWithEpisodes } from './synthetic-episodes.js';
import { type Latency, timeRequests } from './timed-requests.js';

export interface Scale {
  readonly episodes: number;
  readonly projects: number;
  readonly quantized: boolean;
}

export interface ScaleResult extends Scale {
  readonly search: Latency;
  readonly add: Latency;
  /** Resident memory of Qdrant per million episodes, without what it takes when empty. */
  readonly qdrantMbPerMillion: number;
}

const REQUESTS = 200;

const QUESTIONS = [
  'Which guest spoke of the doctor?',
  'What came before the parcel?',
  'Who said tea and music?',
];

/** Fills a product of its own and measures searches and adds in one of its projects. */
export async function measureScale(scale: Scale, databaseUrl: string): Promise<ScaleResult> {
  const env = {
    DATABASE_URL: databaseUrl,
    QDRANT_QUANTIZED: String(scale.quantized),
    // while episodes are put in from outside, the numbers on both sides differ
    RECONCILE_CHECK_INTERVAL_MS: '86400000',
  };
  const loci = await Loci.start({ env, sweeps: 'as delivered' });
  const database = new pg.Client({ connectionString: databaseUrl });
  try {
    await database.connect();
    const emptyMb = await qdrantMb(loci);
    await fill(loci, database, scale);
    const fullMb = await qdrantMb(loci);
    const project = { org_id: 'scale', project_id: '0', types: ['episodic'] };
    const searches = Array.from({ length: REQUESTS }, (_, n) => ({
      ...project,
      query: QUESTIONS[n % QUESTIONS.length],
    }));
    const adds = Array.from({ length: REQUESTS }, (_, n) => ({
      ...project,
      messages: [{ content: `A further note, number ${n}.` }],
    }));
    await timeRequests(`${loci.url}/api/v2/memories/search`, searches.slice(0, 20));
    const search = await timeRequests(`${loci.url}/api/v2/memories/search`, searches);
    const add = await timeRequests(`${loci.url}/api/v2/memories`, adds);
    return { ...scale, search, add, qdrantMbPerMillion: ((fullMb - emptyMb) / scale.episodes) * 1e6 };
  } finally {
    await database.end();
    await loci.destroy();
  }
}

async function fill(
  loci: Loci,
  database: pg.Client,
  { episodes, projects, quantized }: Scale,
): Promise<void> {
  const { fingerprint, dimensions } = miniLm();
  const qdrant = await portOf(loci, 'qdrant');
  const vectors = new QdrantVectorIndex({
    url: `http://127.0.0.1:${qdrant}`,
    prefix: 'episodes',
    fingerprint,
    dimensions,
    quantized,
  });
  const uids = await openProjects(loci, database, projects);
  const progress = new Progress(`filling (${episodes} in ${projects})`, episodes);
  await fillWithEpisodes({ database, vectors, projectUids: uids }, episodes, (done) =>
    progress.advance(done),
  );
  await database.query('ANALYZE episodic.episodes');
}

/** Adding to a project opens it. */
async function openProjects(loci: Loci, database: pg.Client, projects: number): Promise<string[]> {
  const opening = Array.from({ length: projects }, (_, n) => ({
    org_id: 'scale',
    project_id: String(n),
    types: ['episodic'],
    messages: [{ content: 'The first note.' }],
  }));
  await timeRequests(`${loci.url}/api/v2/memories`, opening);
  const isIndexed = async (): Promise<boolean> => {
    const { rows } = await database.query<{ waiting: number }>(
      'SELECT count(*)::int AS waiting FROM episodic.episodes WHERE indexed_at IS NULL',
    );
    return rows[0]?.waiting === 0;
  };
  await eventually(isIndexed, { what: 'the first notes are indexed', timeoutMs: 300_000 });
  const { rows } = await database.query<{ uid: string }>(
    `SELECT uid FROM episodic.projects WHERE org_id = 'scale' ORDER BY project_id`,
  );
  return rows.map(({ uid }) => uid);
}

async function portOf(loci: Loci, name: 'qdrant'): Promise<number> {
  const { ports } = await loci.process(name);
  const port = ports['http'] ?? Object.values(ports)[0];
  if (port === undefined) throw new Error(`${name} has no port.`);
  return port;
}

/** Linux only. */
async function qdrantMb(loci: Loci): Promise<number> {
  const { pid } = await loci.process('qdrant');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
