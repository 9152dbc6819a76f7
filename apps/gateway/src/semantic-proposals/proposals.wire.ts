import { MAX_PROPOSALS_PER_PAGE, type Proposal } from '@loci/contracts';
import { byDefault, integer, nullish, text, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListProposalsBody extends request('ListProposalsSpec', {
  ...TenantBody.schema.properties,
  set_id: described(
    nullish(setId),
    'Only proposals of this set. Absent or null = of all sets.',
    EXAMPLE_SET_ID,
  ),
  page_size: described(
    byDefault(integer({ min: 1, max: MAX_PROPOSALS_PER_PAGE }), 20),
    'Proposals on a page.',
  ),
  page_num: described(byDefault(integer({ min: 0, max: INT32_MAX }), 0), 'The page, from 0.'),
}) {}

export class ProposalIdBody extends request('ProposalIdSpec', {
  ...TenantBody.schema.properties,
  proposal_id: described(text('MAX_LABEL_CHARS'), 'Id of the proposal.', EXAMPLE_UID),
}) {}

const proposedFeature = Type.Object(
  {
    feature_id: described(Type.String(), 'Id of the feature.', EXAMPLE_UID),
    value: Type.String({ description: 'What it said when the model asked.' }),
  },
  { title: 'ProposedFeature' },
);

const proposalAnswer = Type.Object(
  {
    proposal_id: described(Type.String(), 'Id of the proposal, to accept or reject it by.', EXAMPLE_UID),
    set_id: described(Type.String(), 'Id of the set.', EXAMPLE_SET_ID),
    command: described(
      Type.Enum(['update', 'delete']),
      'Whether the features are to say something else, or to be deleted.',
    ),
    subject: Type.Optional(
      Type.String({ description: 'Whom the features are about; absent where nothing says.' }),
    ),
    category: described(Type.String(), 'Name of the category.', 'profile'),
    tag: described(Type.String(), 'Name of the tag: the group inside the category.', 'travel'),
    feature_name: described(
      Type.String(),
      'Name of the feature: what the value is about.',
      'seat preference',
    ),
    value: described(
      nullable(Type.String()),
      'What the features are to say; null for a delete.',
      'prefers aisle seats',
    ),
    features: Type.Array(proposedFeature, { description: 'The features that it is about.' }),
    citations: Type.Array(Type.String(), { description: 'Uids of the episodes that it was drawn from.' }),
    model: described(
      nullable(Type.String()),
      'Name of the language model that asked for it; null when it is not known.',
      'gpt',
    ),
    created_at: described(instantText, 'When the model asked, in UTC.', EXAMPLE_INSTANT),
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
