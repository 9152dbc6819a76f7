import { type Instant, type MODEL_CALL_KINDS } from '@loci/contracts';
import { type ChatMessage } from '@loci/models';

/** What a model was asked for: to learn from messages, or to merge features that have piled up. */
export type CallKind = (typeof MODEL_CALL_KINDS)[number];

/** What a call did to a feature. */
export interface MadeFeature {
  readonly uid: string;
  readonly category: string;
  readonly action: 'add' | 'update' | 'remove';
}

/** What is known of a call without its texts. */
export interface CallSummary {
  readonly uid: string;
  readonly kind: CallKind;
  /** All that it looked for. */
  readonly categories: readonly string[];
  readonly model: string;
  /** Why it failed; absent when it did not. */
  readonly failure?: { readonly code: string; readonly reason: string } | undefined;
  /** Of the provider: two where the first had to be repaired. */
  readonly replies: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Absent without prices. */
  readonly cost?: number | undefined;
  readonly durationMs: number;
}

/** As it is listed. */
export interface ListedCall extends CallSummary {
  /** Public id of the set. */
  readonly setId: string;
  readonly begunAt: Instant;
  /** Messages that it learned from. */
  readonly messages: number;
  /** Features that it made, changed or took away. */
  readonly features: number;
}

export interface CallDetails extends ListedCall {
  readonly readUids: readonly string[];
  readonly made: readonly MadeFeature[];
  /** Absent where the project keeps no texts. */
  readonly prompt?: readonly ChatMessage[] | undefined;
  /** The last one; absent when none came, too. */
  readonly reply?: string | undefined;
  /** Whether texts are longer than what is kept of them. */
  readonly isCut: boolean;
  readonly expiresAt: Instant;
}
