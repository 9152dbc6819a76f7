/** Messages of the system are the same in many requests, and come first: providers that keep such a beginning are asked to. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface TextRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens?: number;
  /** Told what each call to the provider cost, also one whose reply was of no use. */
  readonly onUsage?: (usage: ModelUsage) => void;
  /** Told each reply of the provider, also one that is of no use. */
  readonly onReply?: (text: string) => void;
  /** Called before each request to the provider, repeated ones too; what it throws ends the call. */
  readonly beforeRequest?: (() => void) | undefined;
  /** How long the call may wait for a provider that asks for a pause; absent: as long as the model is configured to. */
  readonly maxPauseMs?: number | undefined;
  /** Gives up; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface JsonRequest extends TextRequest {
  /**
   * JSON schema (draft 2020-12) of an object. Providers that constrain decoding get its strict form; every reply is
   * checked against the schema itself, where null is as good as absent for what is not required.
   */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What a reply must fit at least when it does not fit the schema even after the repair; default the schema. */
  readonly accepts?: Readonly<Record<string, unknown>>;
  /** Whether a reply that does not fit the schema is accepted without a repair, which would not change what is wrong with it. */
  readonly isBeyondRepair?: (accepted: unknown) => boolean;
  /** Names the schema, `[a-z0-9_]`. */
  readonly schemaName: string;
}

/** What one call cost. */
export interface ModelUsage {
  readonly inputTokens: number;
  /** Those of the input that the provider had kept from a former request, and charges less for. */
  readonly cachedTokens?: number;
  readonly outputTokens: number;
}

/** What several calls cost together. */
export const totalUsage = (calls: readonly ModelUsage[]): Required<ModelUsage> => ({
  inputTokens: calls.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  cachedTokens: calls.reduce((sum, { cachedTokens = 0 }) => sum + cachedTokens, 0),
  outputTokens: calls.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
});

export interface TextReply {
  readonly text: string;
}

export interface JsonReply {
  /** Fits the schema of the request, or at least what it accepts. */
  readonly value: unknown;
}

/**
 * A language model of a provider. Failures are AppErrors:
 * - `language_model_unavailable`: unreachable, overloaded, timed out, or refused our key, model or address; with
 *   `retryAfterSeconds` where the provider said so;
 * - `model_reply_unusable`: refused to answer, cut off, empty, or not the JSON that was asked for, a repair included;
 * - `model_input_too_long`: more than the model reads.
 */
export abstract class LanguageModel {
  /** Its name in the registry. */
  abstract readonly name: string;

  abstract generateText(request: TextRequest): Promise<TextReply>;

  /** Asks for structured output where the provider has it; a reply that is not valid gets one attempt at repair. */
  abstract generateJson(request: JsonRequest): Promise<JsonReply>;

  abstract close(): Promise<void>;
}
