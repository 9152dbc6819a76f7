import {
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

  /** Asks both kinds of memory at a time. */
  async find(queries: MemoryQueries): Promise<FoundMemories> {
    const [episodes, features] = await Promise.all([
      queries.episodes && this.rpc.call(searchEpisodes, queries.episodes),
      queries.features && this.searchFeatures(queries.features),
    ]);
    const degraded = new Set([...(episodes?.degraded ?? []), ...(features?.degraded ?? [])]);
    return { episodes, features, degraded: [...degraded] };
  }

  /** While semantic memory cannot answer, the search answers from the rest, and says so. */
  private async searchFeatures(request: SearchFeaturesRequest): Promise<SearchFeaturesResponse> {
    try {
      return await this.rpc.call(searchFeatures, request);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      return { features: [], degraded: ['semantic_unavailable'] };
    }
  }
}
