import {
  decideProposal,
  type DecideProposalRequest,
  type Done,
  listProposals,
  type ListProposalsRequest,
  type Proposal as SharedProposal,
  type ProposalList,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { type Proposal } from './proposal.js';
import { ProposalsService } from './proposals.service.js';

@Controller()
export class ProposalsController {
  constructor(private readonly proposals: ProposalsService) {}

  @Handle(listProposals)
  async list(request: ListProposalsRequest): Promise<ProposalList> {
    const { proposals, total } = await this.proposals.list(request);
    return { proposals: proposals.map(toShared), total };
  }

  @Handle(decideProposal)
  async decide(request: DecideProposalRequest): Promise<Done> {
    await this.proposals.decide(request);
    return {};
  }
}

const toShared = ({ uid, setId, features, citations, ...proposal }: Proposal): SharedProposal => ({
  proposalId: uid,
  setId,
  command: proposal.command,
  category: proposal.category,
  tag: proposal.tag,
  name: proposal.name,
  value: proposal.value,
  features: features.map(({ uid: featureId, value }) => ({ featureId, value })),
  citations: citations.map(({ episodeUid }) => episodeUid),
  model: proposal.model,
  createdAt: proposal.createdAt,
});
