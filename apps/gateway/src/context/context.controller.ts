import { type OrganizationAccess } from '@loci/contracts';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { MemorySearch } from '../memories/memory-search.js';
import {
  type ContextAnswer,
  contextAnswer,
  ContextBody,
  toContext,
  toMemoryQueries,
} from './context.wire.js';

@Tagged('Memories')
@Controller(['api/v2/context', 'v2/context'])
export class ContextController {
  constructor(private readonly memories: MemorySearch) {}

  @Post()
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_context',
    summary: 'Gives what to put in front of a model: profile, facts, relevant episodes, recent turns.',
    description:
      'As blocks and as one text within `max_tokens`, each line with its citation marker. What was chosen by its score stands in a sequence that does not depend on the query, so that prompt caches hit. Stored text is quoted: it cannot pass for a heading or a marker. A line that comes from producers whom the project does not trust begins with `(untrusted)`. A project that does not exist has an empty context.',
    answer: contextAnswer,
    optionalHeaders: {
      'x-degraded': 'What could not take part in the answer, as slugs: as of a search.',
    },
    errors: ['vector_index_unavailable'],
  })
  async get(
    @Body() body: ContextBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ContextAnswer> {
    const found = await this.memories.findFitting(toMemoryQueries(body, organization));
    if (found.degraded.length > 0) void reply.header('x-degraded', found.degraded.join(', '));
    return toContext(body, found);
  }
}
