import {
  type IdempotencyToken,
  listConflicts,
  type OrganizationAccess,
  settleConflict,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { SpokenUsers } from '../context/spoken-users.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import {
  type ConflictsAnswer,
  conflictsAnswer,
  fromConflict,
  ListConflictsBody,
  SettleConflictBody,
} from './conflicts.wire.js';

/** Features that contradict each other. */
@Tagged('Semantic Memory: Features')
@Controller(['api/v2/memories/semantic/conflict', 'v2/memories/semantic/conflict'])
export class ConflictsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly spoken: SpokenUsers,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_conflicts',
    summary: 'Lists features that contradict each other.',
    description:
      'They hold at once, have the same set, category, tag, name and subject, and another value, where one value holds at a time: one of them is `single_valued`, and none of the two says otherwise; or, under any tags and names of one category, a consolidation found that both cannot be true. What is no contradiction ends with `single_valued: false` in an update of a feature.',
    answer: conflictsAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
    errors: ['set_not_found', 'unknown_subject'],
  })
  async list(
    @Body() body: ListConflictsBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConflictsAnswer> {
    const { set_id: setId, subject, page_size: pageSize, page_num: pageNum } = body;
    const request = { tenant: tenantOf(body), organization, setId, subject, pageSize, pageNum };
    const { conflicts, total } = await this.spoken.orElse(
      { ...request, user: subject },
      () => this.rpc.call(listConflicts, request),
      { conflicts: [], total: 0 },
    );
    void reply.header('x-total-count', total);
    return { conflicts: conflicts.map(fromConflict) };
  }

  @Post('settle')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'settle_conflict',
    summary: 'Keeps a feature, and ends those that contradict it.',
    description:
      'They are kept as what held until then: until the feature began to hold, where that is stated, else until now, with `superseded_by`. That is one change, which can be undone. It ends at most 1,000 features, and what 28 MiB hold with all that they cite: what is left conflicts still.',
    optionalHeaders: {
      'x-ended-count': 'How many have ended.',
      'x-left-count':
        'How many contradict it still. Of more than 2,000 that did, at least so many: no more are counted.',
    },
    errors: ['feature_not_found', 'conflict_not_found'],
  })
  async settle(
    @Body() body: SettleConflictBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const { feature_id: featureId, other_ids: otherIds } = body;
    const request = { tenant: tenantOf(body), organization, featureId, otherIds, idempotency };
    const { ended, left } = await this.rpc.call(settleConflict, request);
    // a service of the version before does not say
    if (ended !== undefined) void reply.header('x-ended-count', ended);
    if (left !== undefined) void reply.header('x-left-count', left);
  }
}
