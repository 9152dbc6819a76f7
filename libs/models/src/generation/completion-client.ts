import { type ChatMessage, type ModelUsage } from '../language-model.js';

export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens?: number | undefined;
  /** The reply is to be JSON that fits this. */
  readonly json?: ReplySchema | undefined;
  readonly signal: AbortSignal;
}

export interface Completion {
  /** JSON if that was asked for and the model obeyed. */
  readonly text: string;
  readonly end: 'complete' | 'cut_off' | 'refused';
  readonly usage: ModelUsage;
}

/** One provider's way to ask a model once; errors of its SDK come out as they are. */
export interface CompletionClient {
  complete(request: CompletionRequest): Promise<Completion>;
  close(): Promise<void>;
}
