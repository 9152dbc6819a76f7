import {
  type ListFeaturesRequest,
  type ListFeaturesResponse,
  type SearchFeaturesRequest,
  type Feature as SharedFeature,
} from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type Feature } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { scopeOf } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsService } from '../sets/sets.service.js';
import { Rerankers } from './rerankers.js';
import { FeatureSearch } from './feature-search.js';
import { QueryMeaning } from './query-meaning.js';

/** Reads features of the sets that metadata chooses. */
@Injectable()
export class SearchService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly features: FeaturesRepository,
    private readonly featureSearch: FeatureSearch,
    private readonly rerankers: Rerankers,
  ) {}

  /** A missing project finds nothing. The project's own set comes first. */
  async search(request: SearchFeaturesRequest): Promise<{ features: SharedFeature[]; degraded: string[] }> {
    const { tenant, organization, setMetadata, query: text, topK, filter } = request;
    const project = await this.projects.find(tenant);
    if (!project) return { features: [], degraded: [] };
    const scope = scopeOf(project, organization);
    const [sets, reranker] = await Promise.all([
      this.sets.setsFor(project, setMetadata),
      this.rerankers.of(project),
    ]);
    const meaning = new QueryMeaning(text);
    const results = await Promise.all(
      sets.map((set) => this.featureSearch.search({ scope, set, meaning, filter, topK, reranker })),
    );
    return {
      features: results.flatMap(({ features }) => features.map(toShared)),
      degraded: [...new Set(results.flatMap(({ degraded }) => degraded))],
    };
  }

  /** A missing project lists nothing. */
  async list(request: ListFeaturesRequest): Promise<ListFeaturesResponse> {
    const { tenant, organization, setMetadata, filter, pageSize, pageNum, byPosition } = request;
    const project = await this.projects.find(tenant);
    if (!project) return { features: [], total: 0 };
    const sets = await this.sets.setsFor(project, setMetadata);
    const scope = scopeOf(project, organization);
    const setUids = sets.map(({ uid }) => uid);
    const page = byPosition
      ? await this.features.listFrom(scope, setUids, filter, { after: byPosition.after, limit: pageSize })
      : await this.features.list(scope, setUids, filter, { offset: pageSize * pageNum, limit: pageSize });
    return { ...page, features: page.features.map(toShared) };
  }
}

export const toShared = ({
  uid,
  setId,
  subject,
  category,
  tag,
  name,
  value,
  metadata,
  trust,
  origin,
}: Feature): SharedFeature => ({
  featureId: uid,
  setId,
  subject,
  category,
  tag,
  name,
  value,
  metadata,
  trust,
  origin,
});
