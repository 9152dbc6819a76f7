import {
  type Filter,
  type ListFeaturesRequest,
  type ListFeaturesResponse,
  type ReadProfileRequest,
  type SearchFeaturesRequest,
  type SearchFeaturesResponse,
  type Feature as SharedFeature,
  type TimedRequest,
} from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type Feature } from '../features/feature.js';
import { type ReadTime } from '../features/held-features.js';
import { MAX_READ_BYTES } from '../features/bounded-records.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { type WantedFeatures } from '../features/readable-features.js';
import { type Scope, scopeOf } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type MemorySet } from '../sets/set.js';
import { metadataOfUser } from '../sets/sets-of-user.js';
import { SetsService } from '../sets/sets.service.js';
import { KnownSubjects, unknownSubject } from '../subjects/known-subjects.js';
import { Rerankers } from './rerankers.js';
import { SetsToSearch } from './sets-to-search.js';
import { bestFirst, FeatureSearch, type FoundFeature } from './feature-search.js';
import { QueryMeaning } from './query-meaning.js';
import { ofUser, ofUserIn } from './user-features.js';

/** Reads features of the sets that metadata chooses. */
@Injectable()
export class SearchService {
  constructor(
    private readonly setsToSearch: SetsToSearch,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly features: FeaturesRepository,
    private readonly featureSearch: FeatureSearch,
    private readonly rerankers: Rerankers,
    private readonly subjects: KnownSubjects,
  ) {}

  /** The best of each set, ranked together. A missing project finds nothing. */
  async search(request: SearchFeaturesRequest): Promise<SearchFeaturesResponse> {
    const { tenant, organization, setMetadata, user, query: text, topK, filter } = request;
    const { scoreThreshold = -Infinity, pinnedFirst = false, explain } = request;
    const time = timeOf(request);
    const searched = await this.setsToSearch.find(tenant, setMetadata);
    if (!searched) return { features: [], degraded: [] };
    const { project, sets, indexOf } = searched;
    const scope = scopeOf(project, organization);
    const reranker = await this.rerankers.of(project);
    const meaning = new QueryMeaning(text);
    const maxBytes = Math.floor(MAX_READ_BYTES / sets.length);
    const pinnedOnes = pinnedFirst ? this.pinned(request, scope, sets) : [];
    const results = await Promise.all(
      sets.map((set) => {
        const asked = user === undefined ? filter : ofUser(user, set, filter);
        const index = indexOf(set);
        const query = { scope, set, index, meaning, filter: asked, time, topK, maxBytes, reranker, explain };
        return this.featureSearch.search(query);
      }),
    );
    const hits = results.flatMap(({ features }) => features).sort(bestFirst);
    const fitting = hits.filter(({ score }) => score >= scoreThreshold);
    const found = pinnedFirst ? firstOfSets([...scored(await pinnedOnes, hits), ...fitting], topK) : fitting;
    return {
      features: found.map((hit) => ({ ...toShared(hit), score: hit.score, explanation: hit.explanation })),
      degraded: [...new Set(results.flatMap(({ degraded }) => degraded))],
      trustedProducers: project.trustedProducers,
    };
  }

  /** The pinned features that match, last changed first. */
  private pinned(
    request: SearchFeaturesRequest,
    scope: Scope,
    sets: readonly MemorySet[],
  ): Promise<Feature[]> {
    const { user, filter, topK } = request;
    const uids = sets.map(({ uid }) => uid);
    const wanted = { ...wantedOf(user, sets, filter), ...timeOf(request), isPinned: true } as const;
    return this.features.newestMatching(scope, uids, wanted, topK * sets.length);
  }

  /** What is known of a user, of each category as much as of the others; last changed first. @throws AppError `unknown_subject` for one never heard of */
  async profile(request: ReadProfileRequest): Promise<SharedFeature[]> {
    const { tenant, organization, user, limit } = request;
    const project = await this.projects.find(tenant);
    const asked = { field: 'user', subject: user };
    if (!project) throw unknownSubject(asked);
    const scope = scopeOf(project, organization);
    const sets = await this.sets.setsFor(project, metadataOfUser(user));
    const uids = sets.map(({ uid }) => uid);
    const found = await this.features.newestOfEachCategory(
      scope,
      uids,
      { ofSets: ofUserIn(user, sets), ...timeOf(request) },
      limit,
    );
    if (found.length === 0) await this.subjects.require(project, scope, asked);
    return found.map(toShared);
  }

  /** A missing project lists nothing. */
  async list(request: ListFeaturesRequest): Promise<ListFeaturesResponse> {
    const { tenant, organization, setMetadata, user, pageSize, pageNum, byPosition, pinnedFirst } = request;
    const project = await this.projects.find(tenant);
    if (!project) return { features: [], total: 0 };
    const sets = await this.sets.setsFor(project, setMetadata);
    const scope = scopeOf(project, organization);
    const setUids = sets.map(({ uid }) => uid);
    const wanted = { ...wantedOf(user, sets, request.filter), ...timeOf(request) };
    const page = byPosition
      ? await this.features.listFrom(scope, setUids, wanted, { after: byPosition.after, limit: pageSize })
      : await this.features.list(scope, setUids, wanted, {
          offset: pageSize * pageNum,
          limit: pageSize,
          pinnedFirst,
        });
    return { ...page, features: page.features.map(toShared) };
  }
}

/** A feature that may have been found by a query. */
type ScoredOnce = Feature & Partial<Pick<FoundFeature, 'score' | 'explanation'>>;

/** Pinned features with the scores of those that were found, these first. */
function scored(pinned: readonly Feature[], hits: readonly FoundFeature[]): ScoredOnce[] {
  const pinnedUids = new Set(pinned.map(({ uid }) => uid));
  const found = hits.filter(({ uid }) => pinnedUids.has(uid));
  const foundUids = new Set(found.map(({ uid }) => uid));
  return [...found, ...pinned.filter(({ uid }) => !foundUids.has(uid))];
}

/** Each once, and of each set at most so many. */
function firstOfSets(features: readonly ScoredOnce[], limit: number): ScoredOnce[] {
  const uids = new Set<string>();
  const counts = new Map<string, number>();
  return features.filter(({ uid, setUid }) => {
    const count = counts.get(setUid) ?? 0;
    if (uids.has(uid) || count >= limit) return false;
    uids.add(uid);
    counts.set(setUid, count + 1);
    return true;
  });
}

const wantedOf = (
  user: string | undefined,
  sets: readonly MemorySet[],
  filter: Filter | undefined,
): Pick<WantedFeatures, 'filter' | 'ofSets'> =>
  user === undefined ? { filter } : { ofSets: ofUserIn(user, sets, filter) };

const timeOf = ({ asOf, validity }: TimedRequest): ReadTime => ({ asOf, validity });

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
  validFrom,
  validUntil,
  supersededBy,
  recordedAt,
  isPinned,
  expiresAt,
  isSingleValued,
  conflictsWith,
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
  validity: { validFrom, validUntil, supersededBy },
  recordedAt,
  isPinned,
  expiresAt,
  isSingleValued,
  ...(conflictsWith.length > 0 && { conflictsWith }),
});
