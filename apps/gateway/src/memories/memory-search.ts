import { searchEpisodes } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { requestedTypes } from './memory-types.wire.js';
import {
  fromSearch,
  type SearchAnswer,
  type SearchMemoriesBody,
  toSearchEpisodes,
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

  async search(body: SearchMemoriesBody): Promise<SearchOutcome> {
    const types = requestedTypes(body.types);
    const episodic = types.includes('episodic')
      ? await this.rpc.call(searchEpisodes, toSearchEpisodes(body))
      : undefined;
    return { answer: fromSearch(types, episodic), degraded: episodic?.degraded ?? [] };
  }
}
