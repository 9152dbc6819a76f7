import { type EmbedInputType } from '../embedder.js';

export interface EmbeddingReply {
  /** One per text, in sequence; not normalised. */
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number;
}

/** One provider's way to embed texts; errors of its SDK come out as they are. */
export interface EmbeddingClient {
  /** Most texts in one request. */
  readonly batchSize: number;
  /** Most characters in one text. */
  readonly maxInputLength: number;
  /** Most characters in one request; absent: as many as most providers take. */
  readonly maxBatchLength?: number;
  embed(texts: readonly string[], inputType: EmbedInputType, signal: AbortSignal): Promise<EmbeddingReply>;
  close(): Promise<void>;
}
