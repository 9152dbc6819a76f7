import {
  previewRelearning,
  type RelearningCost,
  type SemanticRequest,
  type SemanticWriteRequest,
  startRelearning,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { RelearningService } from './relearning.service.js';

@Controller()
export class RelearningController {
  constructor(private readonly relearning: RelearningService) {}

  @Handle(previewRelearning)
  preview(request: SemanticRequest): Promise<RelearningCost> {
    return this.relearning.preview(request);
  }

  @Handle(startRelearning)
  start(request: SemanticWriteRequest): Promise<RelearningCost> {
    return this.relearning.start(request);
  }
}
