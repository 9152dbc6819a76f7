import { type EpisodesReference } from '@loci/contracts';
import { inParts } from '@loci/platform';

/** Episodes named by one message of what is handed on: few, so that a batch of such messages is no larger than one of single adds. */
const NAMED_BY_ONE = 4;

export interface ShareOptions {
  /** Episodes of one organization that are indexed now. */
  readonly most: number;
  /** There is no time: of an organization that added more than `most`, none is indexed now. */
  readonly isLate: boolean;
}

export interface Shares {
  /** The first of each organization. */
  readonly now: readonly EpisodesReference[];
  /** What is beyond, by project. */
  readonly later: readonly EpisodesReference[];
}

/** Parts what is to be indexed, so that who added few episodes does not wait for all of those who added many. */
export function inShares(references: readonly EpisodesReference[], { most, isLate }: ShareOptions): Shares {
  const beyondShare = isLate ? organizationsBeyond(most, references) : new Set<string>();
  const taken = new Map<string, number>();
  const now: EpisodesReference[] = [];
  const later = new Map<string, EpisodesReference>();
  for (const { tenant, projectUid, uids } of references) {
    const { orgId } = tenant;
    const before = taken.get(orgId) ?? 0;
    const room = beyondShare.has(orgId) ? 0 : most - before;
    const [first, rest] = [uids.slice(0, room), uids.slice(room)];
    taken.set(orgId, before + first.length);
    if (first.length > 0) now.push({ tenant, projectUid, uids: first });
    if (rest.length === 0) continue;
    const beyond = later.get(projectUid)?.uids ?? [];
    later.set(projectUid, { tenant, projectUid, uids: [...beyond, ...rest] });
  }
  return { now, later: [...later.values()].flatMap(inMessages) };
}

function organizationsBeyond(most: number, references: readonly EpisodesReference[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { tenant, uids } of references) {
    counts.set(tenant.orgId, (counts.get(tenant.orgId) ?? 0) + uids.length);
  }
  return new Set([...counts].filter(([, count]) => count > most).map(([orgId]) => orgId));
}

const inMessages = ({ uids, ...project }: EpisodesReference): EpisodesReference[] =>
  inParts(uids, NAMED_BY_ONE).map((some) => ({ ...project, uids: some }));
