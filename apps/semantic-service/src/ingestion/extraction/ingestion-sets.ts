import { type Transaction } from '@loci/persistence';
import { type IngestionCategory } from './extraction-prompt.js';

/** The category was removed, disabled or overridden while its messages were with the model: nothing is written for it. */
export class CategoryGoneError extends Error {
  override readonly name = 'CategoryGoneError';

  constructor(category: string) {
    super(`The category '${category}' is not at work in the set any more.`);
  }
}

export interface IngestionSet {
  /** What is looked for in its messages. */
  readonly categories: readonly IngestionCategory[];
  /** Name of the language model that it was configured with. */
  readonly llmName: string | undefined;
}

/** What ingestion needs to know of a set. Also the injection token. */
export abstract class IngestionSets {
  abstract describe(setUid: string): Promise<IngestionSet>;

  /**
   * Keeps the category at work in the set until the transaction ends. Is called after the job was fenced.
   * @throws CategoryGoneError when it is not at work there any more
   */
  abstract fence(setUid: string, category: IngestionCategory, tx: Transaction): Promise<void>;
}
