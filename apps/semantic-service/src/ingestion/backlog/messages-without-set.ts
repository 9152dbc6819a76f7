import { type EpisodesReference } from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../../database.js';

const TABLE = `${SCHEMA}.messages_without_set`;

/** Messages with which a retry begins at a time. */
const PAGE = 100;

/** Those with a message here, one look into the index for each. */
const ORGANIZATIONS = `
WITH RECURSIVE orgs AS (
  (SELECT org_id FROM ${TABLE} ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT (SELECT org_id FROM ${TABLE} WHERE org_id > orgs.org_id ORDER BY org_id LIMIT 1)
  FROM orgs WHERE orgs.org_id IS NOT NULL
)`;

/** Of which a set was refused. */
interface RefusedMessage {
  readonly project: { readonly uid: string; readonly tenant: { readonly orgId: string } };
  readonly episode: { readonly uid: string; readonly addedAt: string };
  readonly receivedAt: Date;
}

/** A message to be taken in again. */
export interface MessageToRetry {
  readonly reference: Pick<EpisodesReference, 'tenant' | 'projectUid'>;
  readonly uid: string;
  readonly receivedAt: Date;
  /** Of the refusal, as PostgreSQL writes it. */
  readonly refusedAt: string;
}

interface Row {
  readonly project_uid: string;
  readonly episode_uid: string;
  readonly org_id: string;
  readonly project_id: string;
  readonly received_at: Date;
  readonly refused_at: string;
}

/** Messages that belong to a set for which the quota of their organization has no room. */
@Injectable()
export class MessagesWithoutSet {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async note(messages: readonly RefusedMessage[], tx: Transaction): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map(({ project, episode, receivedAt }) => ({
      ...{ project_uid: project.uid, org_id: project.tenant.orgId },
      ...{ episode_uid: episode.uid, added_at: episode.addedAt, received_at: receivedAt },
    }));
    await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query(
      `INSERT INTO ${TABLE} AS known (project_uid, episode_uid, org_id, added_at, received_at, refused_at)
       SELECT project_uid, episode_uid, org_id, added_at, received_at, clock_timestamp()
       FROM jsonb_to_recordset($1::jsonb) AS given(project_uid uuid, episode_uid uuid, org_id text,
         added_at timestamptz, received_at timestamptz)
       ORDER BY project_uid, episode_uid
       ON CONFLICT (project_uid, episode_uid) DO UPDATE
       SET added_at = greatest(known.added_at, excluded.added_at), refused_at = excluded.refused_at`,
      [JSON.stringify(rows)],
    );
  }

  /** Of organizations that have room now, those that were refused longest ago. @param quota the default */
  async withRoom(quota: number): Promise<MessageToRetry[]> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<Row[]>(
          `${ORGANIZATIONS}
           SELECT project_uid, episode_uid, waiting.org_id, projects.project_id, received_at,
                  refused_at::text AS refused_at
           FROM orgs LEFT JOIN ${SCHEMA}.set_counts AS counts USING (org_id)
           LEFT JOIN ${SCHEMA}.quota_limits AS own ON own.org_id = orgs.org_id AND own.quota = 'sets'
           JOIN LATERAL (
             SELECT * FROM ${TABLE} WHERE org_id = orgs.org_id ORDER BY refused_at LIMIT ${PAGE}) AS waiting ON true
           JOIN ${SCHEMA}.projects ON projects.uid = project_uid
           WHERE coalesce(counts.sets, 0) < coalesce(own.max, $1)
           ORDER BY refused_at LIMIT ${PAGE}`,
          [quota],
        ),
      ROWS_OF_ALL,
    );
    return rows.map((row) => ({
      reference: {
        tenant: { orgId: row.org_id, projectId: row.project_id },
        projectUid: row.project_uid,
      },
      uid: row.episode_uid,
      receivedAt: row.received_at,
      refusedAt: row.refused_at,
    }));
  }

  /** After they were taken in again: those stay that were refused again meanwhile. */
  async remove(messages: readonly MessageToRetry[]): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `DELETE FROM ${TABLE} USING unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS taken(project, episode, refused)
           WHERE project_uid = project AND episode_uid = episode AND refused_at = refused`,
          [
            messages.map(({ reference }) => reference.projectUid),
            messages.map(({ uid }) => uid),
            messages.map(({ refusedAt }) => refusedAt),
          ],
        ),
      ROWS_OF_ALL,
    );
  }

  /** @param orgId undefined = of all */
  async count(orgId?: string): Promise<number> {
    const [row] = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ messages: number }[]>(
          `SELECT count(*)::int AS messages FROM ${TABLE} WHERE ($1::text IS NULL OR org_id = $1)`,
          [orgId],
        ),
      ROWS_OF_ALL,
    );
    return row?.messages ?? 0;
  }
}
