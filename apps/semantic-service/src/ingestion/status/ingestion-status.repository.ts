import { type IngestionState } from '@loci/contracts';
import { type Scope } from '../../projects/project.js';
import { type IngestionStatus } from './ingestion-status.js';

export interface StatusQuery {
  readonly waitingOnly: boolean;
  /** Absent = any. */
  readonly state: IngestionState | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** How far the sets of a scope are. What the scope does not show is not there. */
export abstract class IngestionStatusRepository {
  /** By set id; `total` counts all pages. */
  abstract list(scope: Scope, query: StatusQuery): Promise<{ jobs: IngestionStatus[]; total: number }>;
}
