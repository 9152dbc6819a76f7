import { FEATURE_TRUSTS, type OrganizationAccess } from '@loci/contracts';
import {
  boolean,
  byDefault,
  filledText,
  integer,
  nullish,
  text,
  withKeywords,
  described,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type FoundMemories, type MemoryQueries } from '../memories/memory-search.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { asOf } from '../wire/validity.wire.js';
import { assembleContext } from './assemble-context.js';
import { CONTEXT_BLOCKS } from './context-blocks.js';
import { episodesOf, featuresOf, setMetadataOf } from './context-scope.js';

export const MAX_TOKENS = 32_000;

/** Candidates: more than fit into most budgets. */
const EPISODES = 40;
const FEATURES_OF_A_SET = 50;

/** Turns that each relevant episode brings in: one before it, and two behind. */
const NEIGHBOURS = 3;

export const contextQuery = {
  query: withKeywords(text('MAX_QUERY_CHARS'), {
    description: 'What the context is for, as in a search: most often what the user has just said.',
  }),
  max_tokens: byDefault(
    withKeywords(integer({ min: 1, max: MAX_TOKENS }), {
      description:
        'The most tokens that the text has, by an estimate that knows no tokenizer: leave some room to the window of the model.',
    }),
    1_000,
  ),
};

export class ContextBody extends request('ContextSpec', {
  ...TenantBody.schema.properties,
  ...contextQuery,
  user: nullish(
    withKeywords(filledText('MAX_METADATA_VALUE_CHARS'), {
      description:
        'Nothing of other users is read: episodes whose metadata `user_id` is this user, or which have no `user_id` and this user as producer; features that are about this user, and those of sets of this user (tags `producer_id` or `user_id`). Absent = all of the project.',
    }),
  ),
  session: nullish(
    withKeywords(filledText('MAX_METADATA_VALUE_CHARS'), {
      description:
        'Only episodes whose metadata `session_id` is this one are read; absent or null = those of all sessions. Beside `user` it does not narrow features: they outlast sessions. Without `user`, features are those of the sets with the tag `session_id`.',
    }),
  ),
  as_of: asOf,
  pinned_first: described(
    byDefault(boolean, false),
    'Whether pinned features are chosen before all others, however well they fit the query.',
  ),
}) {}

const scopeOf = ({ user, session }: ContextBody) => ({ user, session });

export const toMemoryQueries = (body: ContextBody, organization: OrganizationAccess): MemoryQueries => {
  const scope = scopeOf(body);
  const request = { tenant: tenantOf(body), query: body.query };
  return {
    episodes: { ...request, topK: EPISODES, expandContext: NEIGHBOURS, filter: episodesOf(scope) },
    features: {
      ...request,
      organization,
      topK: FEATURES_OF_A_SET,
      setMetadata: setMetadataOf(scope),
      user: scope.user,
      asOf: body.as_of,
      ...(body.pinned_first && { pinnedFirst: true }),
    },
  };
};

const block = Type.Object(
  {
    name: described(Type.Enum(CONTEXT_BLOCKS.map(({ name }) => name)), 'What the block holds.'),
    text: Type.String({ description: 'Its heading and its lines.' }),
    tokens: described(Type.Integer(), 'Estimated tokens of its text, at most.', 120),
  },
  { title: 'ContextBlock' },
);

export const contextCitation = Type.Object(
  {
    marker: Type.String({ description: 'What its line begins with: `[1]`.' }),
    kind: described(Type.Enum(['feature', 'episode']), 'Whether the line is a feature or an episode.'),
    id: Type.String({ description: 'Id of the feature, or uid of the episode.' }),
    trust: described(
      Type.Enum(FEATURE_TRUSTS),
      'As of a feature. Of an episode whether the project trusts its producer (`trusted_producers`), or `untrusted`, with which its line begins then, outside of all quotation marks: `(untrusted)`.',
    ),
  },
  { title: 'ContextCitation' },
);

export const contextAnswer = Type.Object(
  {
    text: Type.String({
      description: 'The blocks with an empty line between them; empty when nothing is remembered.',
    }),
    blocks: Type.Array(block, { description: 'In this sequence; without the empty ones.' }),
    tokens: Type.Integer({ description: 'Of the text, never more than `max_tokens`.' }),
    citations: Type.Array(contextCitation, { description: 'One for each line, in the same sequence.' }),
  },
  { title: 'ContextResult' },
);
export type ContextAnswer = Static<typeof contextAnswer>;

export const toContext = (body: ContextBody, { episodes, features }: FoundMemories): ContextAnswer => {
  const findings = {
    features: featuresOf(scopeOf(body), features?.features ?? []),
    relevant: episodes?.longTerm ?? [],
    recent: episodes?.shortTerm ?? [],
    trustedProducers: features?.trustedProducers,
  };
  const { text: whole, tokens, blocks, citations } = assembleContext(findings, body.max_tokens);
  return { text: whole, tokens, blocks: [...blocks], citations: [...citations] };
};
