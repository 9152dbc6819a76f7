import { type ConfiguredProject, type ProjectReference, type Tenant, tenantName } from '@loci/contracts';
import {
  type PreparedStatement,
  rowsOf,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { projectLockKey, SCHEMA } from '../database.js';
import { type EpisodicSettings, type OpenProject } from './project.js';

interface Row {
  readonly uid: string;
  readonly enabled: boolean;
  readonly long_term_enabled: boolean;
  readonly short_term_enabled: boolean;
  readonly embedder: string;
  readonly reranker: string;
}

const OPEN_PROJECT: PreparedStatement = {
  name: 'open_project',
  sql: `SELECT uid, enabled, long_term_enabled, short_term_enabled, embedder, reranker FROM ${SCHEMA}.projects
        WHERE org_id = $1 AND project_id = $2 AND state = 'open'`,
};

/** The projects that this service holds data of. */
@Injectable()
export class ProjectsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async findOpen(tenant: Tenant): Promise<OpenProject | undefined> {
    const scope = rowsOf(tenantName(tenant));
    const [row] = await this.unitOfWork.prepared<Row>(OPEN_PROJECT, [tenant.orgId, tenant.projectId], {
      scope,
    });
    if (!row) return undefined;
    const models = { embedder: row.embedder, reranker: row.reranker };
    return { uid: row.uid, tenant, settings: toSettings(row), models };
  }

  /** Opens the project unless it is known already, closed included. */
  async open({ projectUid, tenant, models }: ConfiguredProject): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id, embedder, reranker, models_revision)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
          [projectUid, tenant.orgId, tenant.projectId, models.embedder, models.reranker, models.revision],
        ),
      rowsOf(tenantName(tenant)),
    );
  }

  /** Notes the models that an open project chose, unless a newer choice is known. */
  async adoptModels({ projectUid, tenant, models }: ConfiguredProject): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `WITH queued AS MATERIALIZED (SELECT pg_advisory_xact_lock(${projectLockKey('$1')}))
           UPDATE ${SCHEMA}.projects SET embedder = $2, reranker = $3, models_revision = $4, changed_at = now()
           FROM queued WHERE uid = $1::uuid AND state = 'open' AND models_revision < $4`,
          [projectUid, models.embedder, models.reranker, models.revision],
        ),
      rowsOf(tenantName(tenant)),
    );
  }

  /**
   * Closes the project for good, waiting for writes that are under way. A project never heard of is noted as closed, so
   * that a late writer cannot open it.
   */
  async close({ projectUid, tenant }: ProjectReference): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `WITH queued AS MATERIALIZED (SELECT pg_advisory_xact_lock(${projectLockKey('$1')}))
         INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id, state)
         SELECT $1::uuid, $2, $3, 'erasing' FROM queued
         ON CONFLICT (uid) DO UPDATE SET state = 'erasing', changed_at = now()
         WHERE ${SCHEMA}.projects.state = 'open'`,
          [projectUid, tenant.orgId, tenant.projectId],
        ),
      rowsOf(tenantName(tenant)),
    );
  }

  /** @returns false when the project is not open */
  async updateSettings(
    tenant: Tenant,
    { enabled, longTermEnabled, shortTermEnabled }: Partial<EpisodicSettings>,
    tx: Transaction | undefined,
  ): Promise<boolean> {
    const update = (manager: EntityManager): Promise<unknown[]> =>
      manager.query<unknown[]>(
        `WITH named AS MATERIALIZED (
           SELECT uid FROM ${SCHEMA}.projects WHERE org_id = $1 AND project_id = $2 AND state = 'open'
         ), queued AS MATERIALIZED (
           SELECT uid, pg_advisory_xact_lock(${projectLockKey('uid')}) FROM named
         ), updated AS (
           UPDATE ${SCHEMA}.projects SET
             enabled            = coalesce($3, enabled),
             long_term_enabled  = coalesce($4, long_term_enabled),
             short_term_enabled = coalesce($5, short_term_enabled),
             changed_at         = now()
           FROM queued WHERE projects.uid = queued.uid AND state = 'open'
           RETURNING projects.uid)
         SELECT uid FROM updated`,
        [tenant.orgId, tenant.projectId, enabled, longTermEnabled, shortTermEnabled],
      );
    const scope = rowsOf(tenantName(tenant));
    const rows = await (tx ? update(await scopedManager(tx, scope)) : this.unitOfWork.single(update, scope));
    return rows.length === 1;
  }
}

const toSettings = (row: Row): EpisodicSettings => ({
  enabled: row.enabled,
  longTermEnabled: row.long_term_enabled,
  shortTermEnabled: row.short_term_enabled,
});
