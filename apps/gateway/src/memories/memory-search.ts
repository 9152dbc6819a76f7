import {
  isTooLarge,
  isUnanswered,
  searchEpisodes,
  type SearchEpisodesRequest,
  type SearchEpisodesResponse,
  searchFeatures,
  type SearchFeaturesRequest,
  type SearchFeaturesResponse,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { requestedTypes } from './memory-types.wire.js';
import {
  fromSearch,
  type SearchAnswer,
  type SearchMemoriesBody,
  toSearchEpisodes,
  toSearchFeatures,
} from './search-memories.wire.js';

export interface SearchOutcome {
  readonly answer: SearchAnswer;
  /** What could not take part in it, as slugs. */
  readonly degraded: readonly string[];
  /** That of the query, if the embedder of the project was not trained on it. */
  readonly unsupportedLanguage: string | undefined;
}

/** What each kind of memory is asked; undefined: it is not. */
export interface MemoryQueries {
  readonly episodes: SearchEpisodesRequest | undefined;
  readonly features: SearchFeaturesRequest | undefined;
}

/** What each kind of memory found; undefined: it was not asked. */
export interface FoundMemories {
  readonly episodes: SearchEpisodesResponse | undefined;
  readonly features: SearchFeaturesResponse | undefined;
  /** What could not take part in it, as slugs. */
  readonly degraded: readonly string[];
}

/** A search of all kinds of memory that a request asks for. */
@Injectable()
export class MemorySearch {
  constructor(private readonly rpc: RpcClient) {}

  async search(body: SearchMemoriesBody, organization: OrganizationAccess): Promise<SearchOutcome> {
    const types = requestedTypes(body.types);
    const { episodes, features, degraded } = await this.find({
      episodes: types.includes('episodic') ? toSearchEpisodes(body) : undefined,
      features: types.includes('semantic') ? toSearchFeatures(body, organization) : undefined,
    });
    return {
      answer: fromSearch(episodes, features),
      degraded,
      unsupportedLanguage: episodes?.unsupportedLanguage,
    };
  }

  /** Asks both kinds of memory at a time. @throws AppError `body_too_large` */
  find({ episodes, features }: MemoryQueries): Promise<FoundMemories> {
    return together(
      episodes && this.rpc.call(searchEpisodes, episodes),
      features && answered(this.rpc.call(searchFeatures, features)),
    );
  }

  /**
   * As `find`, for a caller who did not say how many: of fewer where the best are too large for an answer together. Features
   * of which not even one of each set fits are left out, and `degraded` says so.
   */
  findFitting({ episodes, features }: MemoryQueries): Promise<FoundMemories> {
    return together(
      episodes && fewerWhereTooLarge(episodes, (fewer) => this.rpc.call(searchEpisodes, fewer)),
      features &&
        answered(
          fewerWhereTooLarge(features, (fewer) => this.rpc.call(searchFeatures, fewer)).catch(
            noneWhereTooLarge,
          ),
        ),
    );
  }
}

async function together(
  asked: Promise<SearchEpisodesResponse> | undefined,
  askedFeatures: Promise<SearchFeaturesResponse> | undefined,
): Promise<FoundMemories> {
  const [episodes, features] = await Promise.all([asked, askedFeatures]);
  const degraded = new Set([...(episodes?.degraded ?? []), ...(features?.degraded ?? [])]);
  return { episodes, features, degraded: [...degraded] };
}

/** While semantic memory cannot answer, the search answers from the rest, and says so. */
async function answered(features: Promise<SearchFeaturesResponse>): Promise<SearchFeaturesResponse> {
  try {
    return await features;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return { features: [], degraded: ['semantic_unavailable'] };
  }
}

/** Asks for half as many until they fit. @throws AppError `body_too_large` when one does not */
async function fewerWhereTooLarge<Request extends { readonly topK: number }, Response>(
  request: Request,
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await ask(request);
  } catch (error) {
    if (!isTooLarge(error) || request.topK === 1) throw error;
    return fewerWhereTooLarge({ ...request, topK: Math.ceil(request.topK / 2) }, ask);
  }
}

function noneWhereTooLarge(error: unknown): SearchFeaturesResponse {
  if (!isTooLarge(error)) throw error;
  return { features: [], degraded: ['features_too_large'] };
}
