import {
  type Deletion,
  type DeletionList,
  type DeletionPreview,
  getDeletion,
  type GetDeletionRequest,
  listDeletions,
  type MatchingEpisodesRequest,
  previewDeletion,
  type ProjectRequest,
  startDeletion,
  type StartDeletionRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfCounting } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { DeletionsService } from './deletions.service.js';

@Controller()
export class DeletionsController {
  constructor(private readonly deletions: DeletionsService) {}

  @Handle(previewDeletion, { inTurn: costOfCounting })
  preview(request: MatchingEpisodesRequest): Promise<DeletionPreview> {
    return this.deletions.preview(request);
  }

  @Handle(startDeletion, { inTurn: costOfCounting })
  start(request: StartDeletionRequest): Promise<Deletion> {
    return this.deletions.start(request);
  }

  @Handle(getDeletion)
  get(request: GetDeletionRequest): Promise<Deletion> {
    return this.deletions.get(request);
  }

  @Handle(listDeletions)
  async list({ tenant }: ProjectRequest): Promise<DeletionList> {
    return { deletions: await this.deletions.list(tenant) };
  }
}
