import {
  listFeatures,
  type ListFeaturesRequest,
  type ListFeaturesResponse,
  readProfile,
  type ReadProfileRequest,
  type ReadProfileResponse,
  searchFeatures,
  type SearchFeaturesRequest,
  type SearchFeaturesResponse,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfPage, costOfQuery } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { SearchService } from './search.service.js';

@Controller()
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Handle(searchFeatures, { inTurn: costOfQuery })
  search(request: SearchFeaturesRequest): Promise<SearchFeaturesResponse> {
    return this.service.search(request);
  }

  @Handle(readProfile, { inTurn: true })
  async profile(request: ReadProfileRequest): Promise<ReadProfileResponse> {
    return { features: await this.service.profile(request) };
  }

  @Handle(listFeatures, { inTurn: costOfPage })
  list(request: ListFeaturesRequest): Promise<ListFeaturesResponse> {
    return this.service.list(request);
  }
}
