import pg from 'pg';
import { ORG } from './agent.js';
import { type StoredState } from './drill-problems.js';

/** How far the product is with what it has acknowledged. */
export interface Backlog {
  /** Episodes without a vector. */
  readonly unindexed: number;
  /** Messages that wait in the sets of projects. */
  readonly waiting: number;
  /** Those that are ingested there. */
  readonly ingested: number;
}

const BACKLOG = `
SELECT (SELECT count(*)::int FROM episodic.episodes WHERE indexed_at IS NULL AND deleted_at IS NULL) AS unindexed,
       coalesce(sum(waiting), 0)::int AS waiting,
       (coalesce(sum(learned), 0) + (
         SELECT count(*) FROM semantic.ingestion_messages JOIN semantic.sets ON sets.uid = set_uid
         WHERE done_at IS NOT NULL AND sets.kind = 'project_set'))::int AS ingested
FROM semantic.ingestion_jobs JOIN semantic.sets ON sets.uid = set_uid AND sets.kind = 'project_set'`;

const UNDONE = `
SELECT (SELECT count(*)::int FROM semantic.ingestion_messages WHERE done_at IS NULL) AS waiting,
       (SELECT count(*)::int FROM semantic.ingestion_dead_letters) AS letters`;

/** A job notes every episode of its batch with each change: an episode that two jobs name was ingested twice. */
const APPLIED = `
SELECT episode_uid, count(DISTINCT job_id)::int AS jobs
FROM semantic.feature_history AS change JOIN semantic.sets ON sets.uid = set_uid AND sets.kind = 'project_set',
     unnest(change.episodes) AS episode_uid
WHERE origin = 'ingestion' GROUP BY episode_uid`;

const FACTS = `
SELECT value FROM semantic.features JOIN semantic.sets ON sets.uid = set_uid AND sets.kind = 'project_set'
WHERE deleted_at IS NULL`;

const PAGE = 500;

/** Looks into the tables beside the product: also while no process of it answers. */
export class Tables {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string) {
    // the rows of every tenant, which row security would hide
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: '-c loci.scope=*' });
    // a server that was killed ends its connections: the next query opens another
    this.pool.on('error', () => undefined);
  }

  /** @returns undefined while PostgreSQL does not answer */
  async backlog(): Promise<Backlog | undefined> {
    const found = await this.pool.query<Backlog>(BACKLOG).catch(() => undefined);
    return found?.rows[0];
  }

  async ingestion(): Promise<Omit<StoredState, 'episodes'>> {
    const undone = await this.pool.query<{ waiting: number; letters: number }>(UNDONE);
    const applied = await this.pool.query<{ episode_uid: string; jobs: number }>(APPLIED);
    const facts = await this.pool.query<{ value: string }>(FACTS);
    return {
      waiting: undone.rows[0]?.waiting ?? 0,
      deadLetters: undone.rows[0]?.letters ?? 0,
      applied: new Map(applied.rows.map(({ episode_uid, jobs }) => [episode_uid, jobs])),
      facts: facts.rows.map(({ value }) => value),
    };
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** Every episode of a project, as clients are shown it. @throws Error when the product does not answer */
export async function episodesOf(url: string, projectId: string): Promise<StoredState['episodes']> {
  const all: { uid: string; content: string }[] = [];
  for (let page = 0; ; page += 1) {
    const answer = await fetch(`${url}/api/v2/memories/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        org_id: ORG,
        project_id: projectId,
        type: 'episodic',
        page_size: PAGE,
        page_num: page,
      }),
    });
    if (!answer.ok) throw new Error(`The episodes of ${projectId} could not be listed: ${answer.status}`);
    const { content } = (await answer.json()) as { content: { episodic_memory: StoredState['episodes'] } };
    all.push(...content.episodic_memory);
    if (content.episodic_memory.length < PAGE) return all;
  }
}
