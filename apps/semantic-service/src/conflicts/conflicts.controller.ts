import {
  type ConflictList,
  type ConflictSettled,
  listConflicts,
  type ListConflictsRequest,
  settleConflict,
  type SettleConflictRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfExportPage, costOfPage } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { toShared } from '../search/search.service.js';
import { ConflictsService } from './conflicts.service.js';

@Controller()
export class ConflictsController {
  constructor(private readonly conflicts: ConflictsService) {}

  @Handle(listConflicts, { inTurn: costOfPage })
  async list(request: ListConflictsRequest): Promise<ConflictList> {
    const { conflicts, total } = await this.conflicts.list(request);
    return { conflicts: conflicts.map((features) => ({ features: features.map(toShared) })), total };
  }

  @Handle(settleConflict, { inTurn: costOfExportPage })
  async settle(request: SettleConflictRequest): Promise<ConflictSettled> {
    return this.conflicts.settle(request);
  }
}
