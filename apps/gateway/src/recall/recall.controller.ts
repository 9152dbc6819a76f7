import { type OrganizationAccess } from '@loci/contracts';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { MemorySearch } from '../memories/memory-search.js';
import { type RecallAnswer, recallAnswer, RecallBody, toRecall, toRecallQueries } from './recall.wire.js';

@Tagged('Memories')
@Controller(['api/v2/recall', 'v2/recall'])
export class RecallController {
  constructor(private readonly memories: MemorySearch) {}

  @Post()
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'recall_memories',
    summary: 'Finds what is remembered on a subject, as one list, best first.',
    description:
      'Messages, however new, and facts by one score. For programs that need not know the kinds of memory: a search answers each kind apart, a context is one text for a model. Messages of a project whose long-term memory is switched off have no score and are not in the list. A project that does not exist has an empty list.',
    answer: recallAnswer,
    optionalHeaders: {
      'x-degraded': 'What could not take part in the answer, as slugs: as of a search.',
    },
    errors: ['invalid_filter', 'vector_index_unavailable'],
  })
  async recall(
    @Body() body: RecallBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecallAnswer> {
    const found = await this.memories.find(toRecallQueries(body, organization));
    if (found.degraded.length > 0) void reply.header('x-degraded', found.degraded.join(', '));
    return toRecall(body, found);
  }
}
