/**
 * Who waits: a `query` is a person's request and goes first; `unindexed` is what a search of some project indexes within its
 * time budget; `index` is background work.
 */
export type EmbedPriority = 'query' | 'unindexed' | 'index';

/** What texts are: many models turn a query into another vector than a document of the same words. */
export type EmbedInputType = 'query' | 'document';

export interface EmbedOptions {
  /** Default `document`. */
  readonly inputType?: EmbedInputType;
  /** Default `index`. */
  readonly priority?: EmbedPriority;
  /** Gives up waiting; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Turns texts into vectors whose dot product is their cosine similarity. Also the injection token. */
export abstract class Embedder {
  /**
   * Names what vectors are comparable by (model, weights, truncation), in `[a-z0-9_-]`.
   * Vectors of different fingerprints can't be compared, so each has its own collection.
   */
  abstract readonly fingerprint: string;

  /** Length of every vector. */
  abstract readonly dimensions: number;

  /**
   * One L2-normalised vector per text, in order. A text longer than the model reads is truncated, or read in parts whose
   * mean is its vector; an empty one has a vector like any other.
   * @throws AppError `embedder_unavailable` when the model can't be reached, crashed or has too much to do
   */
  abstract embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;

  /** Ends what the embedder runs; texts still waiting are refused with `embedder_unavailable`. */
  abstract close(): Promise<void>;
}
