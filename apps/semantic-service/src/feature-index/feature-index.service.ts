import {
  AppError,
  type FeatureIndex,
  type IndexState,
  type SemanticRequest,
  type SetIndexVersionsProgress,
} from '@loci/contracts';
import { Embedders } from '@loci/indexing';
import { Inject, Injectable } from '@nestjs/common';
import { ProjectsService } from '../projects/projects.service.js';
import {
  FeatureIndexRepository,
  type IndexVersionState,
  type WantedEmbedder,
} from './feature-index.repository.js';

/** Says how far the vectors of features are. */
@Injectable()
export class FeatureIndexService {
  constructor(
    private readonly projects: ProjectsService,
    @Inject(FeatureIndexRepository)
    private readonly repository: Pick<FeatureIndexRepository, keyof FeatureIndexRepository>,
    private readonly embedders: Embedders,
  ) {}

  async get(request: SemanticRequest): Promise<FeatureIndex> {
    const scope = await this.projects.scope(request);
    const embedder = this.embedders.defaultName;
    const [{ features, indexed }, indexVersions, wanted, stuck] = await Promise.all([
      this.repository.counts(scope),
      this.repository.indexVersions(scope),
      this.repository.wanted(scope, embedder),
      this.repository.problem(scope),
    ]);
    const inState = (wantedState: IndexVersionState): SetIndexVersionsProgress[] =>
      indexVersions.filter(({ state }) => state === wantedState).map(({ progress }) => progress);
    const [active, target] = [inState('active'), inState('building')];
    const { isReembedding, problem = stuck } = await this.compare(wanted);
    const state = stateOf({
      problem,
      isReembedding: isReembedding || target.length > 0,
      isBehind: indexed < features,
    });
    return { state, embedder, features, active, target, problem };
  }

  /** Whether a set is searched by another embedder than it should be; why one that it should be cannot be had. */
  private async compare(
    wanted: readonly WantedEmbedder[],
  ): Promise<{ readonly isReembedding: boolean; readonly problem?: string | undefined }> {
    const names = new Set(wanted.map(({ embedder }) => embedder));
    const models = new Map(
      await Promise.all([...names].map(async (name) => [name, await this.modelOf(name)] as const)),
    );
    return {
      isReembedding: wanted.some(
        ({ embedder, fingerprint }) =>
          fingerprint !== undefined && fingerprint !== models.get(embedder)?.fingerprint,
      ),
      problem: [...models.values()].find(({ problem }) => problem !== undefined)?.problem,
    };
  }

  private async modelOf(name: string): Promise<{ fingerprint?: string; problem?: string }> {
    try {
      return { fingerprint: (await this.embedders.namedSoon(name)).fingerprint };
    } catch (error) {
      if (error instanceof AppError) return { problem: error.message };
      throw error;
    }
  }
}

function stateOf(index: {
  readonly problem: string | undefined;
  readonly isReembedding: boolean;
  readonly isBehind: boolean;
}): IndexState {
  if (index.problem) return 'waiting';
  if (index.isReembedding) return 'moving';
  return index.isBehind ? 'indexing' : 'ready';
}
