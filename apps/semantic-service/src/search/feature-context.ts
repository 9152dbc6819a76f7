import { fieldIs, type Filter } from '@loci/contracts';
import { countTokens, inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Feature, featureText, type FeatureLocation } from '../features/feature.js';
import { type Partition } from '../features/partition.js';
import { fullScope } from '../projects/project.js';
import { FeatureSearch } from './feature-search.js';
import { KnownFeaturesRepository } from './known-features.repository.js';
import { QueryMeaning } from './query-meaning.js';

/** Which features are looked at. */
interface Known {
  readonly location: FeatureLocation;
  readonly categories: readonly string[];
  readonly partition: Partition;
  /** Undefined: those without a subject. */
  readonly subjects: readonly (string | undefined)[];
}

export interface ContextRequest extends Known {
  readonly texts: readonly string[];
  /** Of all features together, as they are shown. */
  readonly maxTokens: number;
}

export interface AlikeRequest extends Known {
  /** Features that others are compared with. */
  readonly newest: number;
  /** Features at most. */
  readonly limit: number;
}

/** Read at most to find out whether all fit. */
const MAX_FEATURES = 500;

/** What a feature costs at least, so that it is known how many can fit. */
const MIN_TOKENS = 8;

/** Searches for one extraction: the first messages must not decide alone what is shown. */
const MAX_QUERIES = 8;

/** A query is cut there: an embedder reads little more, and words repeat. */
const MAX_QUERY_CHARS = 4_000;

/** What is known already, for a model that is about to learn more or to tidy it up. */
@Injectable()
export class FeatureContext {
  constructor(
    private readonly known: KnownFeaturesRepository,
    private readonly search: FeatureSearch,
  ) {}

  /**
   * The features of some categories, of a partition and of some subjects, as many as the tokens allow: all of them, or those
   * that have most to do with the texts, by meaning and by words. A part of the texts has the same share as any other.
   */
  async relevant(request: ContextRequest): Promise<Feature[]> {
    const { location, maxTokens, ...of } = request;
    const limit = Math.min(Math.ceil(maxTokens / MIN_TOKENS), MAX_FEATURES);
    const some = await this.known.some(location, { ...of, limit: limit + 1 });
    const newest = newestFirst(some);
    const fitting = fittingInto(newest, maxTokens);
    if (fitting.length === some.length && some.length <= limit) return fitting;
    const found = await this.found(request, queriesOf(request.texts), limit);
    return fittingInto(distinct([...found, ...newest]), maxTokens);
  }

  /** All features, where they are no more than the limit; else the newest with what is most like each, by meaning and by words. */
  async alike(request: AlikeRequest): Promise<Feature[]> {
    const { location, newest: count, limit, ...of } = request;
    const some = await this.known.some(location, { ...of, limit: limit + 1 });
    if (some.length <= limit) return newestFirst(some);
    const newest = newestFirst(await this.known.recent(location, { ...of, limit: count }));
    const texts = newest.map((feature) => featureText(feature).slice(0, MAX_QUERY_CHARS));
    const found = await this.found(request, texts, Math.ceil(limit / count));
    return distinct([...newest, ...found]).slice(0, limit);
  }

  /** The hits of each query by turns, best first. */
  private async found(
    { location, categories, partition, subjects }: Known,
    queries: readonly string[],
    topK: number,
  ): Promise<Feature[]> {
    const filter: Filter = {
      op: 'and',
      args: [
        { op: 'or', args: categories.map((category) => fieldIs(CATEGORY, category)) },
        { op: 'or', args: subjects.map(ofSubject) },
      ],
    };
    const hits = await Promise.all(
      queries.map((text) =>
        this.search.search({
          scope: fullScope(location),
          set: { uid: location.setUid, projectUid: location.projectUid },
          meaning: new QueryMeaning(text),
          filter,
          partition,
          topK,
          reranker: undefined,
        }),
      ),
    );
    return Array.from({ length: topK }, (_, rank) =>
      hits.flatMap(({ features }) => features[rank] ?? []),
    ).flat();
  }
}

/** The texts in parts of about as many texts each. */
export function queriesOf(texts: readonly string[]): string[] {
  const size = Math.max(1, Math.ceil(texts.length / MAX_QUERIES));
  return inParts(texts, size)
    .map(joined)
    .filter((text) => text.trim() !== '');
}

/** Of each text as much as of the others. */
const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.slice(0, Math.floor(MAX_QUERY_CHARS / texts.length))).join('\n');

function fittingInto(features: readonly Feature[], maxTokens: number): Feature[] {
  let tokens = 0;
  return features.filter((feature) => {
    const cost = Math.max(MIN_TOKENS, tokensOf(feature));
    if (tokens + cost > maxTokens) return false;
    tokens += cost;
    return true;
  });
}

/** As JSON shows it. */
const tokensOf = ({ tag, name, value }: Feature): number => countTokens(`"${tag}":{"${name}":"${value}"}`);

const newestFirst = (features: readonly Feature[]): Feature[] =>
  features.toSorted((a, b) => compare(b.recordedAt, a.recordedAt) || compare(b.uid, a.uid));

const distinct = (features: readonly Feature[]): Feature[] => [
  ...new Map(features.map((feature) => [feature.uid, feature])).values(),
];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const SUBJECT = { kind: 'system', name: 'subject' } as const;
const CATEGORY = { kind: 'system', name: 'category_name' } as const;

const ofSubject = (subject: string | undefined): Filter =>
  subject === undefined ? { op: 'not', arg: { op: 'present', field: SUBJECT } } : fieldIs(SUBJECT, subject);
