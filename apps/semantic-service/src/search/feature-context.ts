import { fieldIs, type Filter } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type Feature, type FeatureLocation } from '../features/feature.js';
import { type Partition } from '../features/partition.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { fullScope } from '../projects/project.js';
import { FeatureSearch } from './feature-search.js';
import { QueryMeaning } from './query-meaning.js';

/** The query is cut there: an embedder reads no more, and words repeat. */
const MAX_QUERY_CHARS = 8_000;

export interface ContextRequest {
  readonly location: FeatureLocation;
  readonly category: string;
  readonly partition: Partition;
  /** Undefined: those without a subject. */
  readonly subjects: readonly (string | undefined)[];
  readonly texts: readonly string[];
  readonly limit: number;
}

/** What is known already, for an extraction that is about to learn more. */
@Injectable()
export class FeatureContext {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly search: FeatureSearch,
  ) {}

  /**
   * The features of a category, of a partition and of some subjects that have most to do with the texts, best first; where these are fewer than `limit`, the last
   * changed ones follow.
   */
  async relevant(request: ContextRequest): Promise<Feature[]> {
    const { location, category, partition, subjects, texts, limit } = request;
    const newest = await this.features.newest(location, category, { partition, subjects, limit: limit + 1 });
    if (newest.length <= limit) return newest;
    const text = texts.join('\n').slice(0, MAX_QUERY_CHARS);
    const meaning = new QueryMeaning(text);
    const filter: Filter = {
      op: 'and',
      args: [ofCategory(category), { op: 'or', args: subjects.map(ofSubject) }],
    };
    const { features } = await this.search.search({
      scope: fullScope(location),
      set: { uid: location.setUid, projectUid: location.projectUid },
      meaning,
      filter,
      partition,
      topK: limit,
      reranker: undefined,
    });
    const found = new Set(features.map(({ uid }) => uid));
    return [...features, ...newest.filter(({ uid }) => !found.has(uid))].slice(0, limit);
  }
}

const SUBJECT = { kind: 'system', name: 'subject' } as const;

const ofSubject = (subject: string | undefined): Filter =>
  subject === undefined ? { op: 'not', arg: { op: 'present', field: SUBJECT } } : fieldIs(SUBJECT, subject);

const ofCategory = (category: string): Filter => fieldIs({ kind: 'system', name: 'category_name' }, category);
