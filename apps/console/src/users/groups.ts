import { withHeaders } from '@loci/client';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Wire } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';

/** A user, session or producer with its messages. */
export type Group = Wire['EpisodeGroup'];

/** Pages of messages that are looked through at once; more on a click. */
const PAGES = 40;

interface Wanted {
  readonly by: Wire['GroupEpisodesSpec']['by'];
  readonly filter?: string;
}

/** Page by page, the newest messages first. */
export const groupsQuery = (project: Project, { by, filter }: Wanted) =>
  infiniteQueryOptions({
    queryKey: keyOf(project, 'groups', by, filter),
    queryFn: async ({ signal, pageParam: cursor }) => {
      const body = { ...named(project), by, cursor, ...(filter !== undefined && { filter }) };
      const { data, headers } = await withHeaders(
        api.POST('/api/v2/memories/episodic/groups', { body, signal }),
      );
      return { groups: data.groups, next: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 30_000,
  });

/** What the messages of a project name, as far as they are looked through. */
export interface Groups {
  /** Those with the latest message first; undefined until the first page is there. */
  readonly data: readonly Group[] | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly isLooking: boolean;
  /** Looks through older messages; absent when all are looked through, or are being. */
  readonly goOn?: (() => void) | undefined;
}

/** Looks through the messages of a project by itself, newest first, and goes on where there are very many on a click. */
export function useGroups(project: Project, wanted: Wanted): Groups {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    groupsQuery(project, wanted),
  );
  const pages = data?.pages.length ?? 0;
  const goesOn = hasNextPage && !error && pages % PAGES !== 0;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage, pages]);
  const isLooking = isFetching || goesOn;
  const all = data && merged(data.pages.flatMap(({ groups }) => groups));
  return {
    // of a filter that matches nothing yet, it is not known whether there is something
    data: all && (all.length > 0 || !isLooking) ? all : undefined,
    error,
    refetch,
    isLooking,
    goOn: hasNextPage && !goesOn && !isFetching ? () => void fetchNextPage() : undefined,
  };
}

/** A group that several pages have is one. */
export function merged(groups: readonly Group[]): Group[] {
  const all = new Map<string, Group>();
  for (const group of groups) {
    const { name, episodes, first_at, last_at } = group;
    const known = all.get(name);
    all.set(
      name,
      known
        ? {
            name,
            episodes: known.episodes + episodes,
            first_at: first_at < known.first_at ? first_at : known.first_at,
            last_at: last_at > known.last_at ? last_at : known.last_at,
          }
        : group,
    );
  }
  return [...all.values()].sort((one, other) => other.last_at.localeCompare(one.last_at));
}
