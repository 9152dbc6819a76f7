import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { totalQuery } from '../episodes/episodes.js';
import { type Project } from '../projects/project.js';
import { groupsQuery } from '../users/groups.js';
import { ofUser } from '../users/users.js';
import { matching } from './matching.js';

const SHOWN = 10;

/** Between two letters people wait for less. */
const PAUSE_MS = 300;

/** What was typed once nothing follows for a while. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

/**
 * The users of a project whose names have what was typed: of those whom its newest messages name, and the one who is
 * called exactly that.
 * @param project undefined where the caller reads none
 */
export function useMatchingUsers(project: Project | undefined, typed: string): readonly string[] {
  const name = useSettled(typed.trim());
  const asked = project ?? { org: '', project: '' };
  const isAsked = project !== undefined && name !== '';
  const newest = useInfiniteQuery({ ...groupsQuery(asked, { by: 'user' }), enabled: isAsked });
  const exact = useQuery({
    ...totalQuery(asked, ofUser(name).text),
    enabled: isAsked,
    staleTime: 30_000,
    refetchInterval: false,
  });
  if (!isAsked) return [];
  const names = (newest.data?.pages ?? [])
    .flatMap(({ groups }) => groups.map((group) => group.name))
    .filter((one) => one !== '');
  const known = (exact.data ?? 0) > 0 ? [name] : [];
  const { found } = matching([...new Set(names)], typed, (one) => one, SHOWN);
  return [...new Set([...known, ...found])];
}
