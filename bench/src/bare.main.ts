import { fastify } from 'fastify';
import pg from 'pg';

/**
 * The baselines, as one small program: POST /constant answers a constant; POST /insert makes the insert of an add, the
 * episode and the event that announces it, in one statement and so one durable commit, and answers when it is committed.
 * Environment: PORT, DATABASE_URL.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });

await pool.query(`
  CREATE SCHEMA IF NOT EXISTS bare;
  CREATE TABLE IF NOT EXISTS bare.episodes (
    uid uuid PRIMARY KEY, project_uid uuid NOT NULL, content text NOT NULL, producer_id text NOT NULL,
    producer_role text NOT NULL, produced_for_id text NOT NULL, metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX IF NOT EXISTS episodes_in_order ON bare.episodes (project_uid, created_at, uid);
  CREATE TABLE IF NOT EXISTS bare.outbox (
    id uuid PRIMARY KEY, subject text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
`);

const INSERT = `
  WITH added AS (
    INSERT INTO bare.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
  )
  INSERT INTO bare.outbox (id, subject, payload) VALUES ($8, $9, $10)`;

const PROJECT = '00000000-0000-7000-8000-000000000000';

interface Body {
  readonly messages: readonly {
    readonly content: string;
    readonly producer: string;
    readonly role: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
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

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
