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
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/semantic-features.wire.js';
import { filter } from '../wire/schema/filter.js';
import { setMetadata } from '../wire/schema/json-texts.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { episodeAnswer, fromEpisode, fromFoundEpisode } from './episode.wire.js';
import { cutAnswer, fromCut } from './explanation.wire.js';
import { typeList } from './memory-types.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class SearchMemoriesBody extends request('SearchMemoriesSpec', {
  ...TenantBody.schema.properties,
  query: text('MAX_QUERY_CHARS'),
  top_k: byDefault(integer({ min: 1, max: 'MAX_TOP_K' }), 10),
  filter: optional(filter),

  /** Chooses semantic sets. */
  set_metadata: byDefault(nullAsAbsent(setMetadata), {}),

  /** Below 0 = 0. */
  expand_context: byDefault(integer({ max: INT32_MAX }), 0),
  score_threshold: nullish(number({})),

  /** What "last week" in the query is relative to. Absent = now. */
  reference_time: nullish(moment),

  /** 0 to 1: how much long-term hits of one moment stand back for those of others. Absent = 0. */
  diversity: nullish(number({ minimum: 0, maximum: 1 })),

  /** Says of each long-term hit what its score is made of, and which candidates were cut. */
  explain: byDefault(boolean, false),

  /** Empty = both. */
  types: byDefault(typeList, []),

  /** Taken and ignored: every search goes the normal path. */
  agent_mode: byDefault(boolean, false),
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
});

const episodicAnswer = Type.Object(
  {
    long_term_memory: Type.Object(
      {
        episodes: Type.Array(episodeAnswer, { description: 'Best first.' }),
        cut: Type.Optional(
          Type.Array(cutAnswer, {
            description:
              'The best candidates that are not among the hits, best first. Only when the request asks to explain.',
          }),
        ),
      },
      { title: 'EpisodicSearchLongTermMemory' },
    ),
    short_term_memory: Type.Object(
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
  },
  { title: 'EpisodicSearchResult' },
);
type EpisodicAnswer = Static<typeof episodicAnswer>;

export const searchAnswer = Type.Object(
  {
    status: Type.Literal(0),
    content: Type.Object(
      {
        episodic_memory: Type.Optional(episodicAnswer),
        semantic_memory: Type.Optional(Type.Array(featureAnswer)),
      },
      {
        title: 'SearchResultContent',
        description: 'A kind that was not asked for, or is switched off for the project, is absent.',
      },
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
