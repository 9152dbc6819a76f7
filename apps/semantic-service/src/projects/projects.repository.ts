import { type ConfiguredProject, type ProjectReference, type Tenant } from '@loci/contracts';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { type OpenProject } from './project.js';
import { rowsIn } from './row-scope.js';

const FIND_OPEN: PreparedStatement = {
  name: 'find_open_project',
  sql: `SELECT uid, reranker FROM ${SCHEMA}.projects WHERE org_id = $1 AND project_id = $2 AND state = 'open'`,
};

const HOLD: PreparedStatement = {
  name: 'hold_projects',
  sql: `SELECT uid FROM ${SCHEMA}.projects WHERE uid = ANY($1::uuid[]) AND state = 'open' ORDER BY uid FOR SHARE`,
};

interface OpenRow {
  readonly uid: string;
  readonly reranker: string | null;
}

/** The projects that this service holds data of. */
@Injectable()
export class ProjectsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async findOpen(tenant: Tenant, tx?: Transaction): Promise<OpenProject | undefined> {
    const scope = rowsIn({ orgId: tenant.orgId, projectUid: undefined });
    const values = [tenant.orgId, tenant.projectId];
    const [row] = await this.unitOfWork.prepared<OpenRow>(FIND_OPEN, values, { tx, scope });
    return row && { uid: row.uid, tenant, reranker: row.reranker ?? undefined };
  }

  /** Opens the project unless it is known already, closed included. */
  async open({ projectUid, tenant }: ProjectReference): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
          [projectUid, tenant.orgId, tenant.projectId],
        ),
      rowsIn({ orgId: tenant.orgId, projectUid: undefined }),
    );
  }

  /** Notes the models that an open project chose, unless a newer choice is known. */
  async adoptModels({ projectUid, tenant, models }: ConfiguredProject): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `UPDATE ${SCHEMA}.projects SET reranker = $2, models_revision = $3, changed_at = now()
           WHERE uid = $1 AND state = 'open' AND (models_revision IS NULL OR models_revision < $3)`,
          [projectUid, models.reranker, models.revision],
        ),
      rowsIn({ orgId: tenant.orgId, projectUid: undefined }),
    );
  }

  /**
   * Keeps projects from being closed until the transaction ends.
   * @returns those of the uids that are open
   */
  async hold(projectUids: readonly string[], tx: Transaction): Promise<Set<string>> {
    const rows = await this.unitOfWork.prepared<{ uid: string }>(HOLD, [projectUids], {
      tx,
      scope: ROWS_OF_ALL,
    });
    return new Set(rows.map(({ uid }) => uid));
  }

  /** As `hold`, alone: whoever holds the project has ended, whoever comes waits. @returns whether it is open */
  async lock(projectUid: string, tx: Transaction): Promise<boolean> {
    const rows = await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query<{ state: string }[]>(`SELECT state FROM ${SCHEMA}.projects WHERE uid = $1 FOR UPDATE`, [
      projectUid,
    ]);
    return rows.some(({ state }) => state === 'open');
  }

  /**
   * Closes the project for good, waiting for writes that are under way. A project never heard of is noted as closed, so
   * that a late writer cannot open it.
   */
  async close({ projectUid, tenant }: ProjectReference): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id, state) VALUES ($1, $2, $3, 'erasing')
         ON CONFLICT (uid) DO UPDATE SET state = 'erasing', changed_at = now()
         WHERE ${SCHEMA}.projects.state = 'open'`,
          [projectUid, tenant.orgId, tenant.projectId],
        ),
      rowsIn({ orgId: tenant.orgId, projectUid: undefined }),
    );
  }
}
