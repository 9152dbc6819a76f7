import { type EpisodesReference } from '@loci/contracts';
import { inParts } from '@loci/platform';

/** Episodes named by one message of what is handed on: few, so that a batch of such messages is no larger than one of single adds. */
const NAMED_BY_ONE = 4;

export interface ShareOptions {
  /** Episodes of one organization that are indexed now. */
  readonly most: number;
  /** There is no time: of an organization that added more than `most`, and a good part of all, none is indexed now. */
  readonly isLate: boolean;
}

export interface Shares {
  /** The first of each organization. */
  readonly now: readonly EpisodesReference[];
  /** What is beyond, by project: first of those with few. */
  readonly later: readonly EpisodesReference[];
}

type Growing = Omit<EpisodesReference, 'uids'> & { readonly uids: string[] };

/** Parts what is to be indexed, so that who added few episodes does not wait for all of those who added many. */
export function inShares(references: readonly EpisodesReference[], { most, isLate }: ShareOptions): Shares {
  const beyondShare = isLate ? organizationsBeyond(most, references) : new Set<string>();
  const taken = new Map<string, number>();
  const now: EpisodesReference[] = [];
  const later = new Map<string, Growing>();
  for (const { tenant, projectUid, uids } of references) {
    const { orgId } = tenant;
    const before = taken.get(orgId) ?? 0;
    const room = beyondShare.has(orgId) ? 0 : most - before;
    const [first, rest] = [uids.slice(0, room), uids.slice(room)];
    taken.set(orgId, before + first.length);
    if (first.length > 0) now.push({ tenant, projectUid, uids: first });
    if (rest.length === 0) continue;
    const beyond = later.get(projectUid);
    if (!beyond) later.set(projectUid, { tenant, projectUid, uids: rest });
    else for (const uid of rest) beyond.uids.push(uid);
  }
  const fewestFirst = [...later.values()].sort((one, other) => one.uids.length - other.uids.length);
  return { now, later: fewestFirst.flatMap(inMessages) };
}

/** An organization with a larger part of a late batch is one of those who make it late. */
const GOOD_PART = 1 / 4;

function organizationsBeyond(most: number, references: readonly EpisodesReference[]): Set<string> {
  let all = 0;
  const counts = new Map<string, number>();
  for (const { tenant, uids } of references) {
    counts.set(tenant.orgId, (counts.get(tenant.orgId) ?? 0) + uids.length);
    all += uids.length;
  }
  const enough = Math.max(most, all * GOOD_PART);
  return new Set([...counts].filter(([, count]) => count > enough).map(([orgId]) => orgId));
}

const inMessages = ({ uids, ...project }: EpisodesReference): EpisodesReference[] =>
  inParts(uids, NAMED_BY_ONE).map((some) => ({ ...project, uids: some }));
