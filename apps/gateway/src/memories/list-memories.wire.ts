import {
  type ListEpisodesRequest,
  type ListEpisodesResponse,
  type ListFeaturesRequest,
  type ListFeaturesResponse,
  type Tenant,
  type OrganizationAccess,
} from '@loci/contracts';
import { byDefault, integer, nullAsAbsent, nullish, optional } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/semantic-features.wire.js';
import { filter } from '../wire/schema/filter.js';
import { setMetadata } from '../wire/schema/json-texts.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { fromListedEpisode, listedEpisodeAnswer } from './episode.wire.js';
import { memoryType } from './memory-types.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListMemoriesBody extends request('ListMemoriesSpec', {
  ...TenantBody.schema.properties,
  page_size: byDefault(integer({ min: 0, max: 'MAX_PAGE_SIZE' }), 100),

  /** Zero-based. */
  page_num: byDefault(integer({ min: 0, max: INT32_MAX }), 0),
  filter: optional(filter),

  /** Chooses semantic sets. */
  set_metadata: byDefault(nullAsAbsent(setMetadata), {}),

  /** Absent = both; under the hosted prefix absent = episodic. */
  type: nullish(memoryType),
}) {}

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
