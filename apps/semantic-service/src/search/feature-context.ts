import { fieldIs, type Filter } from '@loci/contracts';
import { countTokens } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Feature, type FeatureLocation } from '../features/feature.js';
import { type Partition } from '../features/partition.js';
import { fullScope } from '../projects/project.js';
import { FeatureSearch } from './feature-search.js';
import { KnownFeaturesRepository } from './known-features.repository.js';
import { QueryMeaning } from './query-meaning.js';

export interface ContextRequest {
  readonly location: FeatureLocation;
  readonly categories: readonly string[];
  readonly partition: Partition;
  /** Undefined: those without a subject. */
  readonly subjects: readonly (string | undefined)[];
  readonly texts: readonly string[];
  /** Of all features together, as they are shown. */
  readonly maxTokens: number;
}

/** Read at most to find out whether all fit. */
const MAX_FEATURES = 500;

/** What a feature costs at least, so that it is known how many can fit. */
const MIN_TOKENS = 8;

/** Searches for one extraction: the first messages must not decide alone what is shown. */
const MAX_QUERIES = 8;

/** A query is cut there: an embedder reads little more, and words repeat. */
const MAX_QUERY_CHARS = 4_000;

/** What is known already, for an extraction that is about to learn more. */
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
    const { location, categories, partition, subjects, maxTokens } = request;
    const limit = Math.min(Math.ceil(maxTokens / MIN_TOKENS), MAX_FEATURES);
    const some = await this.known.some(location, { categories, partition, subjects, limit: limit + 1 });
    const newest = some.toSorted((a, b) => compare(b.recordedAt, a.recordedAt) || compare(b.uid, a.uid));
    const fitting = fittingInto(newest, maxTokens);
    if (fitting.length === some.length && some.length <= limit) return fitting;
    const found = await this.found(request, limit);
    return fittingInto(distinct([...found, ...newest]), maxTokens);
  }

  /** The hits of each part of the texts by turns, best first. */
  private async found(request: ContextRequest, topK: number): Promise<Feature[]> {
    const { location, categories, partition, subjects, texts } = request;
    const filter: Filter = {
      op: 'and',
      args: [
        { op: 'or', args: categories.map((category) => fieldIs(CATEGORY, category)) },
        { op: 'or', args: subjects.map(ofSubject) },
      ],
    };
    const hits = await Promise.all(
      queriesOf(texts).map((text) =>
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
  const parts = Array.from({ length: Math.ceil(texts.length / size) }, (_, part) =>
    texts.slice(part * size, (part + 1) * size),
  );
  return parts.map((part) => joined(part)).filter((text) => text.trim() !== '');
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

const distinct = (features: readonly Feature[]): Feature[] => [
  ...new Map(features.map((feature) => [feature.uid, feature])).values(),
];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const SUBJECT = { kind: 'system', name: 'subject' } as const;
const CATEGORY = { kind: 'system', name: 'category_name' } as const;

const ofSubject = (subject: string | undefined): Filter =>
  subject === undefined ? { op: 'not', arg: { op: 'present', field: SUBJECT } } : fieldIs(SUBJECT, subject);
