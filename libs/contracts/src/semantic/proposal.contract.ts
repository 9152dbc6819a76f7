import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, ValidateNested } from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { SemanticRequest, SemanticWriteRequest } from './semantic-request.contract.js';

/** Proposals on one page: each may carry a few long values. */
export const MAX_PROPOSALS_PER_PAGE = 100;

/** A feature that a proposal is about, as it was when the model asked. */
export class ProposedFeature {
  @IsString()
  readonly featureId!: string;

  @IsString()
  readonly value!: string;
}

/** A change that a language model asked for, of features that a client wrote: a client decides. */
export class Proposal {
  @IsString()
  readonly proposalId!: string;

  @IsString()
  readonly setId!: string;

  @IsIn(['update', 'delete'])
  readonly command!: 'update' | 'delete';

  /** As of a feature. */
  @IsOptional()
  @IsString()
  readonly subject?: string | undefined;

  @IsString()
  readonly category!: string;

  @IsString()
  readonly tag!: string;

  @IsString()
  readonly name!: string;

  /** What the features are to say; empty for a delete. */
  @IsString()
  readonly value!: string;

  @ValidateNested({ each: true })
  @Type(() => ProposedFeature)
  readonly features!: readonly ProposedFeature[];

  /** Uids of the episodes that the model drew it from. */
  @IsString({ each: true })
  readonly citations!: readonly string[];

  /** Name of the language model. */
  @IsOptional()
  @IsString()
  readonly model?: string | undefined;

  @Matches(INSTANT)
  readonly createdAt!: Instant;
}

export class ListProposalsRequest extends SemanticRequest {
  /** Absent = of all sets. */
  @IsOptional()
  @IsString()
  readonly setId?: string | undefined;

  @IsInt()
  @Min(1)
  @Max(MAX_PROPOSALS_PER_PAGE)
  readonly pageSize!: number;

  /** Zero-based. */
  @IsInt()
  @Min(0)
  readonly pageNum!: number;
}

export class ProposalList {
  @ValidateNested({ each: true })
  @Type(() => Proposal)
  readonly proposals!: readonly Proposal[];

  @IsInt()
  readonly total!: number;
}

export class DecideProposalRequest extends SemanticWriteRequest {
  @IsString()
  readonly proposalId!: string;

  @IsIn(['accept', 'reject'])
  readonly decision!: 'accept' | 'reject';
}

/** Oldest first. A missing project lists what its organization has. Errors: `set_not_found`. */
export const listProposals = operation('semantic', 'proposal.list', {
  request: ListProposalsRequest,
  response: ProposalList,
});

/**
 * Carries a proposal out, or rejects it; it is gone then. Errors: `proposal_not_found`, `proposal_outdated`.
 */
export const decideProposal = operation('semantic', 'proposal.decide', {
  request: DecideProposalRequest,
  response: Done,
});
