import { type Filter, type Tenant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type DeletedEpisodes, type DescribedEpisode, type Episode, type NewEpisodes } from './episode.js';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A project whose episodes wait for something, with some of them, oldest first. */
export interface WaitingEpisodes {
  readonly tenant: Tenant;
  readonly projectUid: string;
  readonly uids: readonly string[];
}

/** Where episodes are kept: the truth. Every method is about one project, named by its uid, but for the sweeps. */
export abstract class EpisodesRepository {
  /**
   * Stores the episodes and the event that announces them, all or nothing.
   * @returns false when the tenant has no open project: nothing is stored
   */
  abstract add(tenant: Tenant, added: NewEpisodes, tx?: Transaction): Promise<boolean>;

  /**
   * By `createdAt`, then uid; `total` counts the matches of all pages.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  abstract list(
    projectUid: string,
    filter: Filter | undefined,
    page: Page,
  ): Promise<{ episodes: Episode[]; total: number }>;

  abstract count(projectUid: string): Promise<number>;

  /**
   * The episodes among these that exist and match, in no particular order.
   * @param maxBytes of all of them; default: as many as fit into an answer
   * @throws AppError `body_too_large` when they have more, before they are read
   */
  abstract findMatching(
    projectUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    maxBytes?: number,
  ): Promise<Episode[]>;

  /** Those of the episodes that exist, in no particular order. @param withContent false leaves their texts empty */
  abstract describe(
    projectUid: string,
    uids: readonly string[],
    withContent: boolean,
  ): Promise<DescribedEpisode[]>;

  /**
   * The newest `limit` matching episodes among those that fit together into `capacityChars`, oldest first.
   * The newest one is always among them, however long.
   */
  abstract newest(
    projectUid: string,
    filter: Filter | undefined,
    window: { capacityChars: number; limit: number },
  ): Promise<Episode[]>;

  /** Turns episodes into tombstones. @returns those that were there */
  abstract remove(projectUid: string, uids: readonly string[], tx: Transaction): Promise<DeletedEpisodes>;

  /** Erases up to `limit` episodes of a closed project. @returns how many were erased; 0 when none is left */
  abstract erase(projectUid: string, limit: number): Promise<number>;
}
