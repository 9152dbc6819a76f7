import {
  AppError,
  searchEpisodes,
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
}

/** A search of all kinds of memory that a request asks for. */
@Injectable()
export class MemorySearch {
  constructor(private readonly rpc: RpcClient) {}

  async search(body: SearchMemoriesBody, organization: OrganizationAccess): Promise<SearchOutcome> {
    const types = requestedTypes(body.types);
    const [episodic, semantic] = await Promise.all([
      types.includes('episodic') ? this.rpc.call(searchEpisodes, toSearchEpisodes(body)) : undefined,
      types.includes('semantic') ? this.searchFeatures(toSearchFeatures(body, organization)) : undefined,
    ]);
    const degraded = new Set([...(episodic?.degraded ?? []), ...(semantic?.degraded ?? [])]);
    return { answer: fromSearch(episodic, semantic), degraded: [...degraded] };
  }

  /** While semantic memory cannot answer, the search answers from the rest, and says so. */
  private async searchFeatures(request: SearchFeaturesRequest): Promise<SearchFeaturesResponse> {
    try {
      return await this.rpc.call(searchFeatures, request);
    } catch (error) {
      if (!(error instanceof AppError) || (error.kind !== 'unavailable' && error.kind !== 'timeout'))
        throw error;
      return { features: [], degraded: ['semantic_unavailable'] };
    }
  }
}
