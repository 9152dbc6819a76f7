import {
  type Filter,
  type ListEpisodesRequest,
  type ListEpisodesResponse,
  type ListFeaturesRequest,
  type ListFeaturesResponse,
  type MemoryType,
  type Tenant,
  type OrganizationAccess,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/semantic-features.wire.js';
import { filter } from '../wire/reading/filter.js';
import { setMetadata } from '../wire/reading/json-texts.js';
import { integer } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { fromListedEpisode, listedEpisodeAnswer } from './episode.wire.js';
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
  @Wire(setMetadata, { default: {}, nullable: true })
  readonly set_metadata!: Readonly<Record<string, string>>;

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

export const toListFeatures = (
  body: ListMemoriesBody,
  organization: OrganizationAccess,
): ListFeaturesRequest => ({
  ...toListEpisodes(body),
  organization,
  setMetadata: body.set_metadata,
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

/** A kind that was not asked is undefined. */
export const fromList = (
  tenant: Tenant,
  episodic: ListEpisodesResponse | undefined,
  semantic: ListFeaturesResponse | undefined,
): ListAnswer => ({
  status: 0,
  content: {
    ...(episodic && {
      episodic_memory: episodic.episodes.map((episode) => fromListedEpisode(episode, tenant)),
    }),
    ...(semantic && { semantic_memory: semantic.features.map(fromFeature) }),
  },
});
