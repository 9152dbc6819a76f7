import {
  decideProposal,
  type IdempotencyToken,
  listProposals,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import {
  fromProposal,
  ListProposalsBody,
  ProposalIdBody,
  type ProposalsAnswer,
  proposalsAnswer,
} from './proposals.wire.js';

/** Changes that language models ask for and may not make by themselves. */
@Tagged('Semantic Memory: Features')
@Controller(['api/v2/memories/semantic/proposal', 'v2/memories/semantic/proposal'])
export class ProposalsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_proposals',
    summary: 'Lists changes that a language model asked for and may not make by itself.',
    description:
      'A model changes no feature that a client wrote or corrected: it proposes, and a client accepts or rejects. What several messages propose alike is one proposal. A proposal goes with the features and the messages that it is about.',
    answer: proposalsAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
    errors: ['set_not_found'],
  })
  async list(
    @Body() body: ListProposalsBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProposalsAnswer> {
    const { set_id, page_size: pageSize, page_num: pageNum } = body;
    const request = { tenant: tenantOf(body), organization, setId: set_id ?? undefined, pageSize, pageNum };
    const { proposals, total } = await this.rpc.call(listProposals, request);
    void reply.header('x-total-count', total);
    return { proposals: proposals.map(fromProposal) };
  }

  @Post('accept')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'accept_proposal',
    summary: 'Carries out a proposed change.',
    description: 'It becomes a change of the client, is in the history of the features, and can be undone.',
    errors: ['proposal_not_found', 'proposal_outdated'],
  })
  async accept(
    @Body() body: ProposalIdBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.decide('accept', body, organization, idempotency);
  }

  @Post('reject')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'reject_proposal',
    summary: 'Rejects a proposed change: the features stay as they are.',
    errors: ['proposal_not_found'],
  })
  async reject(
    @Body() body: ProposalIdBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.decide('reject', body, organization, idempotency);
  }

  private async decide(
    decision: 'accept' | 'reject',
    body: ProposalIdBody,
    organization: OrganizationAccess,
    idempotency: IdempotencyToken | undefined,
  ): Promise<void> {
    const request = {
      tenant: tenantOf(body),
      organization,
      proposalId: body.proposal_id,
      decision,
      idempotency,
    };
    await this.rpc.call(decideProposal, request);
  }
}
