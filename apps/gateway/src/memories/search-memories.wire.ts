import {
  type Filter,
  type Instant,
  type MemoryType,
  type SearchEpisodesRequest,
  type SearchEpisodesResponse,
  type SearchFeaturesRequest,
  type SearchFeaturesResponse,
  type OrganizationAccess,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/semantic-features.wire.js';
import { filter } from '../wire/reading/filter.js';
import { setMetadata } from '../wire/reading/json-texts.js';
import { boolean, finiteNumber, integer, moment, share } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { text } from '../wire/reading/text.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { episodeAnswer, fromEpisode, fromFoundEpisode } from './episode.wire.js';
import { cutAnswer, fromCut } from './explanation.wire.js';
import { typeList } from './memory-types.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class SearchMemoriesBody extends TenantBody {
  @Wire(text('MAX_QUERY_CHARS'))
  readonly query!: string;

  @Wire(integer({ min: 1, max: 'MAX_TOP_K' }), { default: 10 })
  readonly top_k!: number;

  @Wire(filter, { optional: true })
  readonly filter?: Filter | undefined;

  /** Chooses semantic sets. */
  @Wire(setMetadata, { default: {}, nullable: true })
  readonly set_metadata!: Readonly<Record<string, string>>;

  /** Below 0 = 0. */
  @Wire(integer({ max: INT32_MAX }), { default: 0 })
  readonly expand_context!: number;

  @Wire(finiteNumber, { optional: true, nullable: true })
  readonly score_threshold?: number | undefined;

  /** What "last week" in the query is relative to. Absent = now. */
  @Wire(moment, { optional: true, nullable: true })
  readonly reference_time?: Instant | undefined;

  /** 0 to 1: how much long-term hits of one moment stand back for those of others. Absent = 0. */
  @Wire(share, { optional: true, nullable: true })
  readonly diversity?: number | undefined;

  /** Says of each long-term hit what its score is made of, and which candidates were cut. */
  @Wire(boolean, { default: false })
  readonly explain!: boolean;

  /** Empty = both. */
  @Wire(typeList, { default: [] })
  readonly types!: readonly MemoryType[];

  /** Taken and ignored: every search goes the normal path. */
  @Wire(boolean, { default: false })
  readonly agent_mode!: boolean;
}

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
