import { type SetIndexVersionsProgress } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { countFeatures } from './count-features.sql.js';
import { indexVersionsInState } from './index-versions-in-state.sql.js';
import { oldestProblem } from './oldest-problem.sql.js';
import { wantedEmbedders } from './wanted-embedders.sql.js';

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

/** How far the vectors of the sets that a scope shows are. */
@Injectable()
export class FeatureIndexRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async counts(scope: Scope): Promise<FeatureCounts> {
    const [row] = await this.unitOfWork.execute(countFeatures(scope), ownerOf(scope), inScope(scope));
    return row ?? { features: 0, indexed: 0 };
  }

  /** By embedder and state. */
  async indexVersions(scope: Scope): Promise<IndexVersionsInState[]> {
    const statement = indexVersionsInState(scope);
    const rows = await this.unitOfWork.execute(statement, ownerOf(scope), inScope(scope));
    return rows.map(({ state, ...progress }) => ({ state, progress }));
  }

  /** Each pair once. @param defaultName of sets that name none */
  async wanted(scope: Scope, defaultName: string): Promise<WantedEmbedder[]> {
    const values = [...ownerOf(scope), defaultName];
    const rows = await this.unitOfWork.execute(wantedEmbedders(scope), values, inScope(scope));
    return rows.map(({ embedder, fingerprint }) => ({ embedder, fingerprint: fingerprint ?? undefined }));
  }

  /** Why a set does not get on with its new embedder, for one that does not. */
  async problem(scope: Scope): Promise<string | undefined> {
    const [row] = await this.unitOfWork.execute(oldestProblem(scope), ownerOf(scope), inScope(scope));
    return row?.problem ?? undefined;
  }
}

const ownerOf = ({ orgId, projectUid }: Scope): readonly unknown[] => [orgId, projectUid];

const inScope = (scope: Scope) => ({ scope: rowsIn(scope) });
