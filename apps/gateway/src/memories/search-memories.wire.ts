import {
  type SearchEpisodesRequest,
  type SearchEpisodesResponse,
  type SearchFeaturesRequest,
  type SearchFeaturesResponse,
  type OrganizationAccess,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  integer,
  nullAsAbsent,
  nullish,
  number,
  optional,
  text,
  described,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/feature-answer.wire.js';
import { filter } from '../wire/schema/filter.js';
import { setMetadata } from '../wire/schema/json-texts.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { episodeAnswer, fromEpisode, fromFoundEpisode } from './episode.wire.js';
import { cutAnswer, fromCut } from './cut-candidate.wire.js';
import { typeList } from './memory-types.wire.js';
import { EXAMPLE_INSTANT } from '../wire/examples.js';
import { timeFields, timeOf } from '../wire/validity.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class SearchMemoriesBody extends request('SearchMemoriesSpec', {
  ...TenantBody.schema.properties,
  query: described(
    text('MAX_QUERY_CHARS'),
    'What is looked for, in plain words.',
    'Where does Alice like to sit?',
  ),
  top_k: described(
    byDefault(integer({ min: 1, max: 'MAX_TOP_K' }), 10),
    'The most hits of each kind; of features, in each set.',
  ),
  filter: optional(filter),
  set_metadata: described(
    byDefault(nullAsAbsent(setMetadata), {}),
    'Metadata that choose the semantic sets to search; absent = those of the project and of its organization.',
    { user_id: 'alice' },
  ),
  expand_context: described(
    byDefault(integer({ max: INT32_MAX }), 0),
    'How many neighbours of each long-term hit are answered behind it; they count towards `top_k`. Below 0 = 0.',
  ),
  score_threshold: described(
    nullish(number({})),
    'The least score of long-term hits and of features, 0 to 1; absent or null = nothing is cut.',
    0.2,
  ),
  reference_time: described(
    nullish(moment),
    'What "last week" in the query is relative to. Absent or null = now. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    EXAMPLE_INSTANT,
  ),
  diversity: described(
    nullish(number({ minimum: 0, maximum: 1 })),
    'How much long-term hits of one moment stand back for those of others, 0 to 1. Absent or null = 0.',
    0.3,
  ),
  explain: described(
    byDefault(boolean, false),
    'Whether the answer says of each long-term hit and of each feature what its score is made of, and which candidates for long-term hits were cut.',
  ),
  rank_short_term: described(
    byDefault(boolean, false),
    'Whether the newest messages, which short-term memory answers, are ranked and answered among the long-term hits, too.',
  ),
  pinned_first: described(
    byDefault(boolean, false),
    'Whether the pinned features that match the filter come before all others, however well they fit; they count towards `top_k`.',
  ),
  ...timeFields,
  types: described(byDefault(typeList, []), 'Kinds of memory that are searched; empty = all.', [
    'episodic',
    'semantic',
  ]),
  agent_mode: described(
    byDefault(boolean, false),
    'Taken for clients of MemMachine and ignored: every search goes the normal path.',
  ),
}) {}

export const toSearchEpisodes = (body: SearchMemoriesBody): SearchEpisodesRequest => ({
  tenant: tenantOf(body),
  query: body.query,
  topK: body.top_k,
  filter: body.filter,
  expandContext: Math.max(0, body.expand_context),
  scoreThreshold: body.score_threshold,
  referenceTime: body.reference_time,
  diversity: body.diversity,
  ...(body.explain && { explain: true }),
  ...(body.rank_short_term && { rankShortTerm: true }),
});

export const toSearchFeatures = (
  body: SearchMemoriesBody,
  organization: OrganizationAccess,
): SearchFeaturesRequest => ({
  tenant: tenantOf(body),
  organization,
  setMetadata: body.set_metadata,
  query: body.query,
  topK: body.top_k,
  filter: body.filter,
  scoreThreshold: body.score_threshold,
  ...(body.explain && { explain: true }),
  ...(body.pinned_first && { pinnedFirst: true }),
  ...timeOf(body),
});

const episodicAnswer = Type.Object(
  {
    long_term_memory: described(
      Type.Object(
        {
          episodes: Type.Array(episodeAnswer, { description: 'Best first.' }),
          cut: Type.Optional(
            Type.Array(cutAnswer, {
              description:
                'The best candidates that are not among the hits, best first. Absent unless the request asks to explain.',
            }),
          ),
        },
        { title: 'EpisodicSearchLongTermMemory' },
      ),
      'What was found in all that the project remembers.',
    ),
    short_term_memory: described(
      Type.Object(
        {
          episodes: Type.Array(episodeAnswer, { description: 'Oldest first.' }),
          episode_summary: Type.Array(Type.String(), {
            minItems: 1,
            maxItems: 1,
            description: 'One text, empty when there is no summary.',
          }),
        },
        { title: 'EpisodicSearchShortTermMemory' },
      ),
      'The newest episodes that pass the filter, whatever the query, and the summary of what came before them.',
    ),
  },
  { title: 'EpisodicSearchResult' },
);
type EpisodicAnswer = Static<typeof episodicAnswer>;

export const searchAnswer = Type.Object(
  {
    status: described(Type.Literal(0), 'Always 0.'),
    content: described(
      Type.Object(
        {
          episodic_memory: described(
            Type.Optional(episodicAnswer),
            'Episodes: messages as they were said. Absent when they were not asked for.',
          ),
          semantic_memory: described(
            Type.Optional(Type.Array(featureAnswer)),
            'Features: what is known, distilled from messages or written by clients; those of all sets, best first. Absent when they were not asked for.',
          ),
        },
        {
          title: 'SearchResultContent',
          description: 'A kind that was not asked for, or is switched off for the project, is absent.',
        },
      ),
      'What was found, by kind of memory.',
    ),
  },
  { title: 'SearchResult' },
);
export type SearchAnswer = Static<typeof searchAnswer>;

/** A kind that was not asked is undefined. */
export const fromSearch = (
  episodic: SearchEpisodesResponse | undefined,
  semantic: SearchFeaturesResponse | undefined,
): SearchAnswer => ({
  status: 0,
  content: {
    ...(episodic?.enabled && { episodic_memory: fromEpisodic(episodic) }),
    ...(semantic && { semantic_memory: semantic.features.map(fromFeature) }),
  },
});

const fromEpisodic = ({ longTerm, cut, shortTerm, summary }: SearchEpisodesResponse): EpisodicAnswer => ({
  long_term_memory: { episodes: longTerm.map(fromFoundEpisode), ...(cut && { cut: cut.map(fromCut) }) },
  short_term_memory: { episodes: shortTerm.map(fromEpisode), episode_summary: [summary] },
});
