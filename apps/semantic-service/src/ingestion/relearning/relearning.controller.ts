import {
  getRelearning,
  previewRelearning,
  type RelearningCost,
  type RelearningProgress,
  type SemanticRequest,
  type SemanticWriteRequest,
  startRelearning,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfCounting } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { RelearningService } from './relearning.service.js';

@Controller()
export class RelearningController {
  constructor(private readonly relearning: RelearningService) {}

  @Handle(previewRelearning, { inTurn: () => costOfCounting() })
  preview(request: SemanticRequest): Promise<RelearningCost> {
    return this.relearning.preview(request);
  }

  @Handle(getRelearning)
  get(request: SemanticRequest): Promise<RelearningProgress> {
    return this.relearning.progress(request);
  }

  @Handle(startRelearning, { inTurn: () => costOfCounting() })
  start(request: SemanticWriteRequest): Promise<RelearningCost> {
    return this.relearning.start(request);
  }
}
