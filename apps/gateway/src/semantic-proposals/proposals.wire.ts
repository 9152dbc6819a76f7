import { MAX_PROPOSALS_PER_PAGE, type Proposal } from '@loci/contracts';
import { byDefault, integer, nullish, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListProposalsBody extends request('ListProposalsSpec', {
  ...TenantBody.schema.properties,

  /** Absent = of all sets. */
  set_id: nullish(setId),
  page_size: byDefault(integer({ min: 1, max: MAX_PROPOSALS_PER_PAGE }), 20),

  /** Zero-based. */
  page_num: byDefault(integer({ min: 0, max: INT32_MAX }), 0),
}) {}

export class ProposalIdBody extends request('ProposalIdSpec', {
  ...TenantBody.schema.properties,
  proposal_id: text('MAX_LABEL_CHARS'),
}) {}

const proposedFeature = Type.Object(
  {
    feature_id: Type.String(),
    value: Type.String({ description: 'What it said when the model asked.' }),
  },
  { title: 'ProposedFeature' },
);

const proposalAnswer = Type.Object(
  {
    proposal_id: Type.String(),
    set_id: Type.String(),
    command: Type.Enum(['update', 'delete']),
    subject: Type.Optional(
      Type.String({ description: 'Whom the features are about; absent where nothing says.' }),
    ),
    category: Type.String(),
    tag: Type.String(),
    feature_name: Type.String(),
    value: nullable(Type.String({ description: 'What the features are to say; null for a delete.' })),
    features: Type.Array(proposedFeature, { description: 'The features that it is about.' }),
    citations: Type.Array(Type.String(), { description: 'Uids of the episodes that it was drawn from.' }),
    model: nullable(Type.String({ description: 'Name of the language model that asked for it.' })),
    created_at: instantText,
  },
  {
    title: 'Proposal',
    description: 'A change of features that a client wrote, which a language model asked for.',
  },
);
type ProposalAnswer = Static<typeof proposalAnswer>;

export const proposalsAnswer = Type.Object(
  { proposals: Type.Array(proposalAnswer, { description: 'Oldest first.' }) },
  { title: 'ProposalList' },
);
export type ProposalsAnswer = Static<typeof proposalsAnswer>;

export const fromProposal = (proposal: Proposal): ProposalAnswer => ({
  proposal_id: proposal.proposalId,
  set_id: proposal.setId,
  command: proposal.command,
  ...(proposal.subject !== undefined && { subject: proposal.subject }),
  category: proposal.category,
  tag: proposal.tag,
  feature_name: proposal.name,
  value: proposal.command === 'delete' ? null : proposal.value,
  features: proposal.features.map(({ featureId, value }) => ({ feature_id: featureId, value })),
  citations: [...proposal.citations],
  model: proposal.model ?? null,
  created_at: wireInstant(proposal.createdAt),
});
