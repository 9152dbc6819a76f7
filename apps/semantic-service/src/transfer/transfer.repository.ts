import {
  type IngestedMessage,
  type PartPosition,
  type SemanticPart,
  type SemanticParts,
} from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Scope } from '../projects/project.js';

/** A part of a kind with its place among the others. */
export interface PlacedPart<Part extends SemanticPart> {
  readonly position: PartPosition;
  readonly part: SemanticParts[Part][number];
}

export interface PageOptions {
  /** Absent = from the beginning. */
  readonly after: PartPosition | undefined;
  /** What the parts may be together, as text; the first one is there however large. */
  readonly maxBytes: number;
  readonly limit: number;
}

/** Reads what a project takes along. */
export abstract class TransferRepository {
  /** The next parts of a kind by the time of their making, then uid. */
  abstract next<Part extends SemanticPart>(
    scope: Scope,
    part: Part,
    page: PageOptions,
  ): Promise<PlacedPart<Part>[]>;

  /** What the messages of the project were ingested for; those that were never in a backlog are left out. */
  abstract ingested(scope: Scope, episodeUids: readonly string[]): Promise<IngestedMessage[]>;

  /** Those of the uids that name a feature, of anybody, deleted ones whose vector is still there included. */
  abstract taken(featureUids: readonly string[], tx: Transaction): Promise<Set<string>>;
}
