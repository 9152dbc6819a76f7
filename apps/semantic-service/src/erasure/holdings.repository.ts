import { type Transaction } from '@loci/persistence';
import { type Owner } from '../projects/project.js';
import { type DeletedEpisodes, type GoneEpisodes } from './deleted-episodes.js';

/** A feature that cites nothing any more. */
export interface BareFeature {
  readonly uid: string;
  readonly owner: Owner;
  readonly byClient: boolean;
}

/** All that there is of a project, for taking it away. */
export abstract class HoldingsRepository {
  /** Sets of the project itself. */
  abstract setsOf(projectUid: string): Promise<string[]>;

  /** Erases features of the project's own sets, with what hangs on them. @returns how many; 0 when none is left */
  abstract eraseFeatures(projectUid: string, limit: number): Promise<number>;

  /** Erases the project's own sets, set types and categories, once its features are gone. */
  abstract eraseSets(projectUid: string): Promise<void>;

  /** Some of the episodes of the project that are still cited. */
  abstract citedEpisodes(projectUid: string, limit: number): Promise<string[]>;

  /** The sets with features that cite these episodes. */
  abstract setsCiting(episodes: GoneEpisodes, tx: Transaction): Promise<string[]>;

  /**
   * Takes citations of episodes away, and forgets what was drawn from these.
   * @returns the features that cite nothing any more
   */
  abstract uncite(episodes: GoneEpisodes, tx: Transaction): Promise<BareFeature[]>;

  /** Remembers that these episodes are deleted. */
  abstract noteDeleted(deleted: DeletedEpisodes, tx: Transaction): Promise<void>;

  /** Forgets which episodes of a project were deleted: nobody can cite any of them. */
  abstract forgetDeleted(projectUid: string): Promise<void>;
}
