import { type FeatureIndex, getFeatureIndex, type SemanticRequest } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { FeatureIndexService } from './feature-index.service.js';

@Controller()
export class FeatureIndexController {
  constructor(private readonly featureIndex: FeatureIndexService) {}

  @Handle(getFeatureIndex)
  get(request: SemanticRequest): Promise<FeatureIndex> {
    return this.featureIndex.get(request);
  }
}
