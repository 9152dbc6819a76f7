import {
  conflict,
  decideProposal,
  type DecideProposalRequest,
  type ListProposalsRequest,
  notFound,
  tenantName,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { FeatureWriter } from '../features/feature-writer.js';
import { byClient } from '../features/feature-origins.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { requireChange } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { SetsService } from '../sets/sets.service.js';
import { isUpToDate, type Proposal } from './proposal.js';
import { ProposalsRepository } from './proposals.repository.js';

/** What models may not do by themselves, and what clients decide of it. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly proposals: ProposalsRepository,
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly sets: SetsService,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** Oldest first. @throws AppError `set_not_found` */
  async list(
    request: ListProposalsRequest,
  ): Promise<{ readonly proposals: readonly Proposal[]; readonly total: number }> {
    const { setId, pageSize, pageNum } = request;
    const scope = await this.projects.scope(request);
    const set = setId === undefined ? undefined : await this.sets.get(scope, setId);
    return this.proposals.list(scope, set?.uid, { offset: pageSize * pageNum, limit: pageSize });
  }

  /**
   * A proposal is carried out as the client's own change, which its history names and which can be undone.
   * @throws AppError `proposal_not_found`, `proposal_outdated`, `forbidden`, `producer_not_allowed`
   */
  async decide(request: DecideProposalRequest): Promise<void> {
    const { tenant, proposalId, decision, idempotency } = request;
    const operation = { tenant: tenantName(tenant), operation: decideProposal.subject };
    await this.idempotency.run(operation, idempotency, async (tx) => {
      const scope = await this.projects.scope(request, tx);
      const proposal = isUuid(proposalId) ? await this.proposals.find(scope, proposalId, tx) : undefined;
      if (!proposal) throw proposalNotFound();
      requireChange(scope, proposal.location);
      requireOwnFact(proposal, await this.sets.get(scope, proposal.setId, tx));
      if (decision === 'accept') await this.lock(proposal, tx);
      // of two that decide at the same time the second finds it gone
      if (!(await this.proposals.remove(scope, proposal.uid, tx))) throw proposalNotFound();
      if (decision === 'accept') await this.carryOut(proposal, tx);
      return {};
    });
    this.outbox.wake();
  }

  /** Projects before sets, and sets before proposals: ingestion locks in this order. */
  private async lock({ location, citations }: Proposal, tx: Transaction): Promise<void> {
    await this.writer.keepCitedOpen(tx, location, citations);
    await this.features.lockSets([location.setUid], tx);
  }

  private async carryOut(proposal: Proposal, tx: Transaction): Promise<void> {
    const {
      location,
      command: kind,
      subject,
      category,
      tag,
      name,
      value,
      citations,
      validity,
      jobId,
      model,
    } = proposal;
    const partition = { sourceProjectUid: proposal.sourceProjectUid, isTrusted: true };
    const now = await this.features.records(
      location,
      { category, tag, name, partition, about: { subject }, isGoingOn: true },
      tx,
    );
    if (!isUpToDate(proposal, now)) throw outdated();
    const episodes = citations.map(({ episodeUid }) => episodeUid);
    await this.writer.apply(tx, {
      location,
      category,
      partition,
      changes: [{ kind, subject, tag, name, value, citations, ...validity }],
      origin: { ...byClient(), jobId, model, episodes },
    });
  }
}

const proposalNotFound = (): Error =>
  notFound('proposal_not_found', 'This proposal does not exist, or was decided; list the proposals.');

const outdated = (): Error =>
  conflict(
    'proposal_outdated',
    'The features of this proposal have changed since the model asked; reject it, and change them yourself if it still holds.',
  );
