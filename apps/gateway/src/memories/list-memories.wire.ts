import {
  type Filter,
  type ListEpisodesRequest,
  type ListEpisodesResponse,
  type MemoryType,
  type Tenant,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { freeForm, type JsonObject } from '../wire/reading/collections.js';
import { filter } from '../wire/reading/filter.js';
import { integer } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { fromListedEpisode, listedEpisodeAnswer } from './episode.wire.js';
import { featureAnswer } from './feature.wire.js';
import { memoryType } from './memory-types.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListMemoriesBody extends TenantBody {
  @Wire(integer({ min: 0, max: 'MAX_PAGE_SIZE' }), { default: 100 })
  readonly page_size!: number;

  /** Zero-based. */
  @Wire(integer({ min: 0, max: INT32_MAX }), { default: 0 })
  readonly page_num!: number;

  @Wire(filter, { optional: true })
  readonly filter?: Filter | undefined;

  /** Chooses semantic sets. */
  @Wire(freeForm, { optional: true, nullable: true })
  readonly set_metadata?: JsonObject | undefined;

  /** Absent = both; under the hosted prefix absent = episodic. */
  @Wire(memoryType, { optional: true, nullable: true })
  readonly type?: MemoryType | undefined;
}

export const toListEpisodes = (body: ListMemoriesBody): ListEpisodesRequest => ({
  tenant: tenantOf(body),
  filter: body.filter,
  pageSize: body.page_size,
  pageNum: body.page_num,
});

export const listAnswer = Type.Object(
  {
    status: Type.Literal(0),
    content: Type.Object(
      {
        episodic_memory: Type.Optional(Type.Array(listedEpisodeAnswer)),
        semantic_memory: Type.Optional(Type.Array(featureAnswer)),
      },
      { title: 'ListResultContent', description: 'A kind that was not asked for is absent.' },
    ),
  },
  { title: 'ListResult' },
);
export type ListAnswer = Static<typeof listAnswer>;

/** @param episodic undefined when episodic memory was not asked */
export const fromList = (
  tenant: Tenant,
  types: readonly MemoryType[],
  episodic: ListEpisodesResponse | undefined,
): ListAnswer => ({
  status: 0,
  content: {
    ...(episodic && {
      episodic_memory: episodic.episodes.map((episode) => fromListedEpisode(episode, tenant)),
    }),
    ...(types.includes('semantic') && { semantic_memory: [] }),
  },
});
