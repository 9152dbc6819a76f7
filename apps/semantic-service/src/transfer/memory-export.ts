import {
  type ExportedSemanticParts,
  type ExportSemanticRequest,
  type IngestedMessage,
  type IngestedMessagesRequest,
  MAX_PARTS_PER_IMPORT,
  type SemanticParts,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { describeInParts } from '../described-episodes.js';
import { metadataForSets } from '../features/message-user.js';
import { scopeOf } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsService } from '../sets/sets.service.js';
import { type MessageOfSets, TransferRepository } from './transfer.repository.js';

/** Text that one answer carries, far below what fits into a message. */
const MAX_PAGE_BYTES = 1024 * 1024;

export const NO_PARTS: SemanticParts = {
  setTypes: [],
  templates: [],
  sets: [],
  categories: [],
  features: [],
};

/** What a project takes along of semantic memory, page by page. */
@Injectable()
export class MemoryExport {
  constructor(
    private readonly transfer: TransferRepository,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly rpc: RpcClient,
  ) {}

  /** @returns the next parts of a kind; none at the end, or without a project */
  async next({
    tenant,
    organization,
    part,
    after,
    asOf,
  }: ExportSemanticRequest): Promise<ExportedSemanticParts> {
    const project = await this.projects.find(tenant);
    if (!project) return { parts: NO_PARTS, positions: [] };
    const page = { after, asOf, maxBytes: MAX_PAGE_BYTES, limit: MAX_PARTS_PER_IMPORT };
    const found = await this.transfer.next(scopeOf(project, organization), part, page);
    return {
      parts: { ...NO_PARTS, [part]: found.map((row) => row.part) },
      positions: found.map(({ position }) => position),
    };
  }

  /** What the messages were ingested for; those that this service does not know are left out. */
  async ingested({ tenant, uids }: IngestedMessagesRequest): Promise<IngestedMessage[]> {
    const project = await this.projects.find(tenant);
    if (!project) return [];
    const messages: MessageOfSets[] = [];
    for await (const part of describeInParts(this.rpc, { tenant, uids, withoutContent: true })) {
      const sets = await this.sets.setsForEach(project, part.map(metadataForSets));
      messages.push(...part.map(({ uid, addedAt }, index) => ({ uid, addedAt, sets: sets[index] ?? [] })));
    }
    return this.transfer.ingested(scopeOf(project, 'read'), messages);
  }
}
