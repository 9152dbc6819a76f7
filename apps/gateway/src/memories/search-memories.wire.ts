import {
  type Filter,
  type MemoryType,
  type SearchEpisodesRequest,
  type SearchEpisodesResponse,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { freeForm, type JsonObject } from '../wire/reading/collections.js';
import { filter } from '../wire/reading/filter.js';
import { boolean, finiteNumber, integer } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { text } from '../wire/reading/text.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { episodeAnswer, fromEpisode, fromFoundEpisode } from './episode.wire.js';
import { featureAnswer } from './feature.wire.js';
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
  @Wire(freeForm, { optional: true, nullable: true })
  readonly set_metadata?: JsonObject | undefined;

  /** Below 0 = 0. */
  @Wire(integer({ max: INT32_MAX }), { default: 0 })
  readonly expand_context!: number;

  @Wire(finiteNumber, { optional: true, nullable: true })
  readonly score_threshold?: number | undefined;

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
});

const episodicAnswer = Type.Object(
  {
    long_term_memory: Type.Object(
      { episodes: Type.Array(episodeAnswer, { description: 'Best first.' }) },
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

/** @param episodic undefined when episodic memory was not asked */
export const fromSearch = (
  types: readonly MemoryType[],
  episodic: SearchEpisodesResponse | undefined,
): SearchAnswer => ({
  status: 0,
  content: {
    ...(episodic?.enabled && { episodic_memory: fromEpisodic(episodic) }),
    ...(types.includes('semantic') && { semantic_memory: [] }),
  },
});

const fromEpisodic = ({ longTerm, shortTerm, summary }: SearchEpisodesResponse): EpisodicAnswer => ({
  long_term_memory: { episodes: longTerm.map(fromFoundEpisode) },
  short_term_memory: { episodes: shortTerm.map(fromEpisode), episode_summary: [summary] },
});
