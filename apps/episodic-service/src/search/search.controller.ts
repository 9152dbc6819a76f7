import { searchEpisodes, type SearchEpisodesRequest, type SearchEpisodesResponse } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { costOfSearch } from './search-cost.js';
import { SearchService } from './search.service.js';

@Controller()
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Handle(searchEpisodes, { inTurn: costOfSearch })
  handle(request: SearchEpisodesRequest): Promise<SearchEpisodesResponse> {
    return this.search.search(request);
  }
}
