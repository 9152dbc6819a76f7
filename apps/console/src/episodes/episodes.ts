import { filterLiteral, where, withHeaders } from '@loci/client';
import { queryOptions } from '@tanstack/react-query';
import { api, totalOf, type Wire } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { visible } from '../ui/visible.js';

/** A message as it was said. */
export type Episode = Wire['Episode'];

/** The session that a message belongs to; undefined where none is named, or an empty one. */
export const sessionOf = ({ metadata }: Episode): string | undefined => metadata?.['session_id'] || undefined;

export const PAGE_SIZE = 100;

/** What the pages of the messages that match are known by, all of them. */
export const pagesKey = (project: Project, filter: string) => keyOf(project, 'episodes', filter, 'page');

/** A page of the messages that match, oldest first. @param page from 0 */
export const pageQuery = (project: Project, filter: string, page: number) =>
  queryOptions({
    queryKey: [...pagesKey(project, filter), page],
    queryFn: ({ signal }) => list(project, { filter, page_num: page, page_size: PAGE_SIZE }, signal),
    staleTime: 30_000,
  });

/** How many messages match; null: more than can be counted. */
export const totalQuery = (project: Project, filter: string) =>
  queryOptions({
    queryKey: keyOf(project, 'episodes', filter, 'total'),
    queryFn: async ({ signal }) => (await list(project, { filter, page_size: 0 }, signal)).total ?? null,
    refetchInterval: 10_000,
  });

/** Messages by their ids; those that are gone are left out. */
export const episodesQuery = (project: Project, uids: readonly string[]) =>
  queryOptions({
    queryKey: keyOf(project, 'episodes', 'by-uid', ...uids),
    queryFn: async ({ signal }) => {
      const filter = `uid IN (${uids.map(filterLiteral).join(', ')})`;
      return (await list(project, { filter, page_size: uids.length }, signal)).episodes;
    },
    enabled: uids.length > 0,
  });

/** How many messages were said before a moment: the position of the first one that was not. null: more than can be counted. */
export const positionQuery = (project: Project, at: string) =>
  queryOptions({
    queryKey: keyOf(project, 'episodes', 'before', at),
    queryFn: async ({ signal }) => {
      const filter = where({ at: { until: at } }).toString();
      return (await list(project, { filter, page_size: 0 }, signal)).total ?? null;
    },
  });

/** The newest messages, at most so many, newest first. */
export const newestQuery = (project: Project, count: number) =>
  queryOptions({
    queryKey: keyOf(project, 'episodes', 'newest', count),
    queryFn: ({ signal }) => newestEpisodes(project, count, signal),
  });

/** The last ones of those that are listed oldest first. */
async function newestEpisodes(
  project: Project,
  count: number,
  signal: AbortSignal,
): Promise<readonly Episode[]> {
  const { total } = await list(project, { page_size: 0 }, signal);
  if (total === undefined)
    throw new Error('More messages are stored than can be counted: which are the newest is not known.');
  const last = Math.max(0, Math.ceil(total / count) - 1);
  // the last page may have a single message
  const wanted = total % count === 0 || last === 0 ? [last] : [last - 1, last];
  const pages = await Promise.all(
    wanted.map((page) => list(project, { page_num: page, page_size: count }, signal)),
  );
  return pages
    .flatMap(({ episodes }) => episodes)
    .slice(-count)
    .toReversed();
}

interface Listed {
  readonly episodes: readonly Episode[];
  /** Of all that match; undefined: more than can be counted. */
  readonly total: number | undefined;
}

type Listing = Omit<Wire['ListMemoriesSpec'], 'org_id' | 'project_id' | 'type'>;

async function list(project: Project, { filter, ...page }: Listing, signal: AbortSignal): Promise<Listed> {
  const body = { ...named(project), type: 'episodic' as const, ...page, ...(filter && { filter }) };
  const { data, headers } = await withHeaders(api.POST('/api/v2/memories/list', { body, signal }));
  return {
    episodes: data.content.episodic_memory ?? [],
    total: headers.has('x-total-count') ? totalOf(headers) : undefined,
  };
}

/** Whose words a message has, as it is shown. */
export const speakerOf = ({
  producer_id,
  producer_role,
}: Pick<Episode, 'producer_id' | 'producer_role'>): string =>
  visible(producer_id || producer_role || 'unknown');
