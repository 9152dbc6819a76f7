import {
  invalid,
  type ListEpisodesRequest,
  type ListEpisodesResponse,
  type ListFeaturesRequest,
  type ListFeaturesResponse,
  type MemoryType,
  type Tenant,
  type OrganizationAccess,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  integer,
  nullAsAbsent,
  nullish,
  optional,
  described,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/feature-answer.wire.js';
import { filter } from '../wire/schema/filter.js';
import { setMetadata } from '../wire/schema/json-texts.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { fromListedEpisode, listedEpisodeAnswer } from './episode.wire.js';
import { listCursor, writeListCursor } from './list-cursor.js';
import { timeFields, timeOf } from '../wire/validity.wire.js';
import { memoryType } from './memory-types.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListMemoriesBody extends request('ListMemoriesSpec', {
  ...TenantBody.schema.properties,
  page_size: described(
    byDefault(integer({ min: 0, max: 'MAX_PAGE_SIZE' }), 100),
    'Entries of each kind on a page; 0 = none, to count only.',
  ),
  page_num: described(byDefault(integer({ min: 0, max: INT32_MAX }), 0), 'The page, from 0.'),
  cursor: nullish(listCursor),
  filter: optional(filter),
  set_metadata: described(
    byDefault(nullAsAbsent(setMetadata), {}),
    'Metadata that choose the semantic sets to list; absent = those of the project and of its organization.',
    { user_id: 'alice' },
  ),
  pinned_first: described(
    byDefault(boolean, false),
    'Whether pinned features come before the others. Not beside `cursor`.',
  ),
  ...timeFields,
  type: described(
    nullish(memoryType),
    'The only kind that is listed. Absent or null = both; under the hosted prefix = `episodic`.',
  ),
}) {}

/** @throws AppError `invalid_request` for a cursor with a page that none can lead to */
export function refuseContradictions({ cursor, page_num, page_size, pinned_first }: ListMemoriesBody): void {
  if (cursor === undefined) return;
  const problems = [
    ...(page_num === 0
      ? []
      : [{ loc: ['body', 'page_num'], msg: 'Input should be 0 with a cursor', type: 'less_than_equal' }]),
    ...(page_size > 0
      ? []
      : [
          {
            loc: ['body', 'page_size'],
            msg: 'Input should be greater than 0 with a cursor',
            type: 'greater_than',
          },
        ]),
    ...(pinned_first
      ? [{ loc: ['body', 'pinned_first'], msg: 'Input should be false with a cursor', type: 'value_error' }]
      : []),
  ];
  const [first, ...rest] = problems;
  if (first) throw invalid('invalid_request', [first, ...rest]);
}

/** @returns undefined when a cursor says that nothing is left */
export const toListEpisodes = (body: ListMemoriesBody): ListEpisodesRequest | undefined =>
  pageOf(body, 'episodic');

/** @returns undefined when a cursor says that nothing is left */
export function toListFeatures(
  body: ListMemoriesBody,
  organization: OrganizationAccess,
): ListFeaturesRequest | undefined {
  const page = pageOf(body, 'semantic');
  if (!page) return undefined;
  const pinned = body.pinned_first && { pinnedFirst: true };
  return { ...page, organization, setMetadata: body.set_metadata, ...pinned, ...timeOf(body) };
}

function pageOf(body: ListMemoriesBody, kind: MemoryType): ListEpisodesRequest | undefined {
  const { filter, page_size: pageSize, page_num: pageNum, cursor } = body;
  const after = cursor?.[kind];
  if (after === 'ended') return undefined;
  return { tenant: tenantOf(body), filter, pageSize, pageNum, ...(cursor && { byPosition: { after } }) };
}

export const listAnswer = Type.Object(
  {
    status: described(Type.Literal(0), 'Always 0.'),
    content: described(
      Type.Object(
        {
          episodic_memory: described(
            Type.Optional(Type.Array(listedEpisodeAnswer)),
            'Episodes, oldest first. Absent when they were not asked for.',
          ),
          semantic_memory: described(
            Type.Optional(Type.Array(featureAnswer)),
            'Features, oldest first. Absent when they were not asked for.',
          ),
        },
        { title: 'ListResultContent', description: 'A kind that was not asked for is absent.' },
      ),
      'The page, by kind of memory.',
    ),
  },
  { title: 'ListResult' },
);
export type ListAnswer = Static<typeof listAnswer>;

/** What was listed of each kind; one that was not asked for is absent. */
export interface ListedMemories {
  readonly episodic?: ListEpisodesResponse;
  readonly semantic?: ListFeaturesResponse;
}

/** The `x-next-cursor` of an answer. @returns undefined when nothing is left */
export const nextCursor = ({ episodic, semantic }: ListedMemories): string | undefined =>
  writeListCursor({
    ...(episodic && { episodic: episodic.next ?? 'ended' }),
    ...(semantic && { semantic: semantic.next ?? 'ended' }),
  });

/** How many match on all pages together. @returns undefined when the services did not count */
export function totalOf(listed: ListedMemories): number | undefined {
  const totals = Object.values(listed).map(({ total }: { readonly total?: number | undefined }) => total);
  return totals.reduce(
    (sum, total) => (sum !== undefined && total !== undefined ? sum + total : undefined),
    0,
  );
}

export const fromList = (tenant: Tenant, { episodic, semantic }: ListedMemories): ListAnswer => ({
  status: 0,
  content: {
    ...(episodic && {
      episodic_memory: episodic.episodes.map((episode) => fromListedEpisode(episode, tenant)),
    }),
    ...(semantic && { semantic_memory: semantic.features.map(fromFeature) }),
  },
});
