import { type Feature, type OrganizationAccess, type ReadProfileRequest } from '@loci/contracts';
import { byDefault, filledText, integer, withKeywords, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { asOf } from '../wire/validity.wire.js';
import { assembleBlocks } from './assemble-context.js';
import { linesByCategory } from './context-lines.js';
import { contextCitation, MAX_TOKENS } from './context.wire.js';
import { quoted } from './quoted.js';

/** What a line costs at least. */
const MIN_TOKENS = 8;

/** Asked for at least, so that short ones can fill what a long one leaves. */
const MIN_FEATURES = 500;

export class ProfileBody extends request('ProfileSpec', {
  ...TenantBody.schema.properties,
  user: withKeywords(filledText('MAX_METADATA_VALUE_CHARS'), {
    description: 'The id of the user: `user_id` in the metadata of messages, else their producer.',
  }),
  max_tokens: byDefault(
    withKeywords(integer({ min: 1, max: MAX_TOKENS }), {
      description: 'The most tokens that the text has, by an estimate that knows no tokenizer.',
    }),
    1_000,
  ),
  as_of: asOf,
}) {}

export const toReadProfile = (body: ProfileBody, organization: OrganizationAccess): ReadProfileRequest => ({
  tenant: tenantOf(body),
  organization,
  user: body.user,
  asOf: body.as_of,
  limit: Math.max(MIN_FEATURES, Math.ceil(body.max_tokens / MIN_TOKENS)),
});

const category = Type.Object(
  {
    name: described(Type.String(), 'Name of the category.', 'profile'),
    text: Type.String({ description: 'Its heading and its lines.' }),
    tokens: described(Type.Integer(), 'Estimated tokens of its text, at most.', 120),
  },
  { title: 'ProfileCategory' },
);

export const profileAnswer = Type.Object(
  {
    user: described(Type.String(), 'Id of the user, as asked for.', 'alice'),
    text: Type.String({
      description: 'The categories with an empty line between them; empty when nothing is known.',
    }),
    categories: Type.Array(category, { description: 'By name; without those of which nothing fits.' }),
    tokens: Type.Integer({ description: 'Of the text, never more than `max_tokens`.' }),
    citations: Type.Array(contextCitation, { description: 'One for each line, in the same sequence.' }),
  },
  { title: 'Profile' },
);
export type ProfileAnswer = Static<typeof profileAnswer>;

export const toProfile = (
  { user, max_tokens: maxTokens }: ProfileBody,
  features: readonly Feature[],
): ProfileAnswer => {
  const byCategory = [...linesByCategory(features)];
  const offered = byCategory.map(([name, lines]) => ({
    name,
    heading: `## ${quoted(name)}`,
    share: 1 / byCategory.length,
    lines,
  }));
  const { text, tokens, blocks, citations } = assembleBlocks(offered, maxTokens);
  return { user, text, categories: [...blocks], tokens, citations: [...citations] };
};
