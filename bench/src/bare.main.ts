import 'reflect-metadata';
import { fastify } from 'fastify';
import { encodeQuery, LocalEmbedder } from '@loci/models';
import { QdrantVectorIndex } from '@loci/vectors';
import pg from 'pg';

/**
 * The baselines, as one small program: POST /constant answers a constant; POST /insert makes the insert of an add, the
 * episode and the event that announces it, in one statement and so one durable commit, and answers when it is committed.
 * It is the same insert: the tables have the columns, constraints and indexes of the product's, which therefore has to
 * be migrated on this database already. POST /search embeds the query with the embedder of the product, asks the product's
 * Qdrant once for both legs, and reads ten rows of the product. What they leave out is all else: validation, tenants,
 * idempotency, ranking, other processes.
 * Environment: PORT, DATABASE_URL, QDRANT_URL, QDRANT_API_KEY.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });

const PROJECT = '00000000-0000-7000-8000-000000000000';

await pool.query(`
  CREATE SCHEMA bare;
  CREATE TABLE bare.projects (uid uuid PRIMARY KEY);
  INSERT INTO bare.projects VALUES ('${PROJECT}');
  CREATE TABLE bare.episodes (LIKE episodic.episodes INCLUDING ALL);
  ALTER TABLE bare.episodes ADD FOREIGN KEY (project_uid) REFERENCES bare.projects (uid);
  CREATE TABLE bare.outbox (LIKE episodic.outbox INCLUDING ALL);
`);

const INSERT = `
  WITH added AS (
    INSERT INTO bare.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                               created_at, in_short_term, in_long_term, is_semantic)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now(), true, true, true)
  )
  INSERT INTO bare.outbox (id, subject, payload, headers) VALUES ($8, $9, $10, '{}')`;

interface Body {
  readonly messages: readonly {
    readonly content: string;
    readonly producer: string;
    readonly role: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
}

interface Searched {
  readonly query: string;
  readonly projectUid: string;
}

const app = fastify();

app.post('/constant', () => ({ results: [{ uid: PROJECT }] }));

app.post<{ Body: Body }>('/insert', async ({ body }) => {
  const uids = await Promise.all(
    body.messages.map(async ({ content, producer, role, metadata }) => {
      const uid = crypto.randomUUID();
      const event = JSON.stringify({ projectUid: PROJECT, uids: [uid] });
      await pool.query(INSERT, [
        uid,
        PROJECT,
        content,
        producer,
        role,
        '',
        metadata,
        crypto.randomUUID(),
        'episodes.added',
        event,
      ]);
      return uid;
    }),
  );
  return { results: uids.map((uid) => ({ uid })) };
});

const TOP_K = 10;

const READ = `
  SELECT uid, content, producer_id, producer_role, produced_for_id, metadata, created_at
  FROM episodic.episodes WHERE uid = ANY ($1::uuid[])`;

const embedder = await LocalEmbedder.start();
const index = new QdrantVectorIndex({
  url: process.env['QDRANT_URL'] ?? '',
  apiKey: process.env['QDRANT_API_KEY'],
  prefix: 'episodes',
  fingerprint: embedder.fingerprint,
  dimensions: embedder.dimensions,
});

app.post<{ Body: Searched }>('/search', async ({ body: { query, projectUid } }) => {
  const [dense] = await embedder.embed([query], { priority: 'query' });
  const legs = await index.search(projectUid, { dense, sparse: encodeQuery(query), limit: TOP_K });
  const uids = [...legs.dense, ...legs.sparse].slice(0, TOP_K).map(({ id }) => id);
  const { rows } = await pool.query({ name: 'read', text: READ, values: [uids] });
  return { results: rows };
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
