import { type Instant } from '@loci/contracts';
import { type Citation, type FeatureLocation } from '../features/feature.js';
import { type StatedValidity } from '../features/validity.js';

/** A change that a model asks for, of features that a client wrote. */
export interface NewProposal {
  readonly location: FeatureLocation;
  /** See `Partition`. */
  readonly sourceProjectUid: string | undefined;
  readonly command: 'update' | 'delete';
  readonly subject: string | undefined;
  readonly category: string;
  readonly tag: string;
  readonly name: string;
  /** Empty for a delete. */
  readonly value: string;
  /** When it holds, or held until, as far as the model says. */
  readonly validity: StatedValidity;
  /** All that have this subject, tag and name, as they are now. */
  readonly features: readonly ProposedFeature[];
  readonly citations: readonly Citation[];
  readonly jobId: string | undefined;
  readonly model: string | undefined;
}

export interface ProposedFeature {
  readonly uid: string;
  readonly value: string;
}

export interface Proposal extends NewProposal {
  readonly uid: string;
  /** Public id of its set. */
  readonly setId: string;
  readonly createdAt: Instant;
}

/** Whether features are still what a proposal is about. */
export function isUpToDate({ features }: Proposal, now: readonly ProposedFeature[]): boolean {
  const values = new Map(now.map(({ uid, value }) => [uid, value]));
  return values.size === features.length && features.every(({ uid, value }) => values.get(uid) === value);
}
