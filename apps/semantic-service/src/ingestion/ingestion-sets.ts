import { type IngestionCategory } from './extraction-prompt.js';

export interface IngestionSet {
  /** What is looked for in its messages. */
  readonly categories: readonly IngestionCategory[];
  /** Name of the language model that it was configured with. */
  readonly llmName: string | undefined;
}

/** What ingestion needs to know of a set. Also the injection token. */
export abstract class IngestionSets {
  abstract describe(setUid: string): Promise<IngestionSet>;
}
