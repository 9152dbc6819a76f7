import { countLearnedOnlyFrom, type FeatureCount, type LearnedOnlyFromRequest } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { ForgettingService } from './forgetting.service.js';

/** A look at a thousand episodes, and at what cites them. */
const COST = 4;

@Controller()
export class ForgettingController {
  constructor(private readonly forgetting: ForgettingService) {}

  @Handle(countLearnedOnlyFrom, { inTurn: () => COST })
  async count(request: LearnedOnlyFromRequest): Promise<FeatureCount> {
    return { count: await this.forgetting.countLearnedOnlyFrom(request) };
  }
}
