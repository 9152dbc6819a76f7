import { type SetIndexVersionsProgress } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../projects/project.js';
import { SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { visibleRows } from '../projects/visible-rows.js';

export interface FeatureCounts {
  readonly features: number;
  /** Those of them that searches find by their vectors. */
  readonly indexed: number;
}

/** The embedder that a set with features should use, and the one that it is searched by, if any. */
export interface WantedEmbedder {
  readonly embedder: string;
  readonly fingerprint: string | undefined;
}

export type IndexVersionState = 'active' | 'building';

export interface IndexVersionsInState {
  readonly state: IndexVersionState;
  readonly progress: SetIndexVersionsProgress;
}

const INDEX_VERSIONS = `${SCHEMA}.index_spaces AS index_version JOIN ${SCHEMA}.sets ON sets.uid = index_version.owner_uid`;

/** How far the vectors of the sets that a scope shows are. */
@Injectable()
export class FeatureIndexRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async counts(scope: Scope): Promise<FeatureCounts> {
    const [row] = await this.query<FeatureCounts>(
      scope,
      `SELECT count(*)::int AS features, count(indexed_at)::int AS indexed
       FROM ${SCHEMA}.features WHERE ${visibleRows(scope, 'features')} AND deleted_at IS NULL`,
    );
    return row ?? { features: 0, indexed: 0 };
  }

  /** By embedder and state. */
  async indexVersions(scope: Scope): Promise<IndexVersionsInState[]> {
    const rows = await this.query<SetIndexVersionsProgress & { readonly state: IndexVersionState }>(
      scope,
      `SELECT index_version.state, index_version.embedder, index_version.fingerprint, index_version.dimensions, count(*)::int AS sets,
              sum(there.indexed)::int AS indexed
       FROM ${INDEX_VERSIONS} CROSS JOIN LATERAL (
         SELECT count(*) AS indexed FROM ${SCHEMA}.features
         WHERE set_uid = index_version.owner_uid AND deleted_at IS NULL
           AND CASE index_version.state WHEN 'active' THEN indexed_at IS NOT NULL ELSE carried_to = index_version.uid END) AS there
       WHERE ${visibleRows(scope, 'sets')} AND index_version.state <> 'retiring'
       GROUP BY index_version.state, index_version.embedder, index_version.fingerprint, index_version.dimensions
       ORDER BY index_version.embedder, index_version.fingerprint`,
    );
    return rows.map(({ state, ...progress }) => ({ state, progress }));
  }

  /** Each pair once. @param defaultName of sets that name none */
  async wanted(scope: Scope, defaultName: string): Promise<WantedEmbedder[]> {
    const rows = await this.query<{ embedder: string; fingerprint: string | null }>(
      scope,
      `SELECT DISTINCT coalesce(sets.embedder_name, $3) AS embedder, index_version.fingerprint
       FROM ${SCHEMA}.sets LEFT JOIN ${SCHEMA}.index_spaces AS index_version
         ON index_version.owner_uid = sets.uid AND index_version.state = 'active'
       WHERE ${visibleRows(scope, 'sets')}
         AND EXISTS (SELECT FROM ${SCHEMA}.features WHERE set_uid = sets.uid AND deleted_at IS NULL)`,
      [defaultName],
    );
    return rows.map(({ embedder, fingerprint }) => ({ embedder, fingerprint: fingerprint ?? undefined }));
  }

  /** Why a set does not get on with its new embedder, for one that does not. */
  async problem(scope: Scope): Promise<string | undefined> {
    const [row] = await this.query<{ problem: string }>(
      scope,
      `SELECT problem FROM ${INDEX_VERSIONS}
       WHERE ${visibleRows(scope, 'sets')} AND index_version.state = 'building' AND problem IS NOT NULL
       ORDER BY index_version.changed_at LIMIT 1`,
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
