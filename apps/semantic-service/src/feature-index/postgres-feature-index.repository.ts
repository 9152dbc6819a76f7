import { type SetSpacesProgress } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import {
  type FeatureCounts,
  FeatureIndexRepository,
  type SpacesInState,
  type SpaceState,
  type WantedEmbedder,
} from './feature-index.repository.js';

/** Parameters 1 and 2: organization and project. */
const isVisible = (table: string): string =>
  `${table}.org_id = $1 AND (${table}.project_uid IS NULL OR ${table}.project_uid = $2)`;

const SPACES = `${SCHEMA}.index_spaces AS space JOIN ${SCHEMA}.sets ON sets.uid = space.owner_uid`;

@Injectable()
export class PostgresFeatureIndexRepository extends FeatureIndexRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async counts(scope: Scope): Promise<FeatureCounts> {
    const [row] = await this.query<FeatureCounts>(
      scope,
      `SELECT count(*)::int AS features, count(indexed_at)::int AS indexed
       FROM ${SCHEMA}.features WHERE ${isVisible('features')} AND deleted_at IS NULL`,
    );
    return row ?? { features: 0, indexed: 0 };
  }

  override async spaces(scope: Scope): Promise<SpacesInState[]> {
    const rows = await this.query<SetSpacesProgress & { readonly state: SpaceState }>(
      scope,
      `SELECT space.state, space.embedder, space.fingerprint, space.dimensions, count(*)::int AS sets,
              sum(there.indexed)::int AS indexed
       FROM ${SPACES} CROSS JOIN LATERAL (
         SELECT count(*) AS indexed FROM ${SCHEMA}.features
         WHERE set_uid = space.owner_uid AND deleted_at IS NULL
           AND CASE space.state WHEN 'active' THEN indexed_at IS NOT NULL ELSE carried_to = space.uid END) AS there
       WHERE ${isVisible('sets')} AND space.state <> 'retiring'
       GROUP BY space.state, space.embedder, space.fingerprint, space.dimensions
       ORDER BY space.embedder, space.fingerprint`,
    );
    return rows.map(({ state, ...progress }) => ({ state, progress }));
  }

  override async wanted(scope: Scope, defaultName: string): Promise<WantedEmbedder[]> {
    const rows = await this.query<{ embedder: string; fingerprint: string | null }>(
      scope,
      `SELECT DISTINCT coalesce(sets.embedder_name, $3) AS embedder, space.fingerprint
       FROM ${SCHEMA}.sets LEFT JOIN ${SCHEMA}.index_spaces AS space
         ON space.owner_uid = sets.uid AND space.state = 'active'
       WHERE ${isVisible('sets')}
         AND EXISTS (SELECT FROM ${SCHEMA}.features WHERE set_uid = sets.uid AND deleted_at IS NULL)`,
      [defaultName],
    );
    return rows.map(({ embedder, fingerprint }) => ({ embedder, fingerprint: fingerprint ?? undefined }));
  }

  override async problem(scope: Scope): Promise<string | undefined> {
    const [row] = await this.query<{ problem: string }>(
      scope,
      `SELECT problem FROM ${SPACES}
       WHERE ${isVisible('sets')} AND space.state = 'building' AND problem IS NOT NULL
       ORDER BY space.changed_at LIMIT 1`,
    );
    return row?.problem;
  }

  private query<Row>(scope: Scope, sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single(
      (manager) => manager.query<Row[]>(sql, [scope.orgId, scope.projectUid, ...parameters]),
      rowsIn(scope),
    );
  }
}
