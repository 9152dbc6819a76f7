import { type components } from '../api.generated.js';
import { type CallOptions, type WriteOptions } from '../call-options.js';
import { type Filter } from '../filters/filter.js';
import { type Episode, type Feature, type Remembered } from './memories.js';

type Schemas = components['schemas'];

export type Kind = Remembered['kind'];

export interface SearchOptions extends CallOptions {
  /** Hits of each kind at most, features per set; default 10. */
  readonly topK?: number;
  readonly filter?: Filter;
  /** Default both. */
  readonly kinds?: readonly Kind[];
  /** Episodes and features below this score are left out; 0 to 1. */
  readonly threshold?: number;
  /** Turns that each hit brings in; default 0. */
  readonly expandContext?: number;
  /** "Now" for what the query says of time; default: the clock of Loci. */
  readonly referenceTime?: Date;
  /** Only features that held then; default: those that have neither ended nor expired. */
  readonly asOf?: Date;
}

export interface RecallOptions extends CallOptions {
  /** Memories at most, of all kinds together; default 10. */
  readonly topK?: number;
  readonly filter?: Filter;
  /** Default both. */
  readonly kinds?: readonly Kind[];
  /** Memories below this score are left out; 0 to 1. */
  readonly threshold?: number;
  /** Only features that held then; default: those that have neither ended nor expired. */
  readonly asOf?: Date;
}

export interface Recalled {
  /** Best first, each with a score; those of one kind are told by `kind`. */
  readonly memories: readonly (Remembered & { readonly score: number })[];
  /** What could not take part in the answer; empty when all is well. */
  readonly degraded: readonly string[];
}

export interface SearchResult {
  /** Of long-term memory, best first. */
  readonly episodes: readonly Episode[];
  /** Of short-term memory, oldest first: they are not ranked. */
  readonly recent: readonly Episode[];
  /** Of what short-term memory no longer holds; empty when there is none, or the memory is of one user or session. */
  readonly summary: string;
  /** Best first, those of all sets together. */
  readonly features: readonly Feature[];
  /** What could not take part in the answer; empty when all is well. */
  readonly degraded: readonly string[];
}

export interface AddOptions extends WriteOptions {
  /** What becomes of it; default both. Without `feature`, nothing is learned from it. */
  readonly kinds?: readonly Kind[];
}

export interface ContextOptions extends CallOptions {
  /** Tokens of the text at most; default 1000. */
  readonly maxTokens?: number;
  /** Only features that held then; default: those that have neither ended nor expired. */
  readonly asOf?: Date;
}

export interface Context {
  /** What to put in front of a model; empty when nothing is remembered. Stored text in it is quoted. */
  readonly text: string;
  readonly tokens: number;
  readonly blocks: readonly Schemas['ContextBlock'][];
  /** One for each line of the text. */
  readonly citations: readonly Schemas['ContextCitation'][];
  readonly degraded: readonly string[];
}

export interface Profile extends Omit<Context, 'blocks' | 'degraded'> {
  /** Without those of which nothing fits. */
  readonly categories: readonly Schemas['ProfileCategory'][];
}

export interface ListOptions extends CallOptions {
  readonly filter?: Filter;
  /** Default both: first the episodes, oldest first, then the features. */
  readonly kinds?: readonly Kind[];
  /** Memories that one request asks for, 1 to 1000; default 500. */
  readonly pageSize?: number;
  /** Only features that held then; default: those that have neither ended nor expired. */
  readonly asOf?: Date;
}

export interface ForgetOptions extends WriteOptions {
  /** Whether to wait until what a filter chooses is in no answer any more; default true. It is certain in either case. */
  readonly wait?: boolean;
}

/** One change of a feature. */
export interface Change {
  readonly id: string;
  readonly action: 'add' | 'update' | 'remove';
  readonly origin: 'client' | 'ingestion' | 'consolidation' | 'undo' | 'import';
  readonly at: Date;
  /** Ids of the episodes that brought it about. */
  readonly episodes: readonly string[];
  readonly before: Schemas['FeatureState'] | null;
  readonly after: Schemas['FeatureState'] | null;
}

/** What a feature should say; what is left out stays as it is. */
export interface Correction {
  readonly value?: string;
  readonly name?: string;
  readonly tag?: string;
  readonly category?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Whether its name has one value at a time: with `false` nothing contradicts it. */
  readonly singleValued?: boolean;
  /** Whether it comes first where `pinnedFirst` asks so. Alone, this corrects nothing, as `singleValued` and dates do. */
  readonly pinned?: boolean;
}

/** Features that contradict each other, oldest first. */
export type Conflict = readonly Feature[];

export interface ConflictsOptions extends CallOptions {
  /** Conflicts that one request asks for, 1 to 100; default 100. */
  readonly pageSize?: number;
}

export interface SettleOptions extends WriteOptions {
  /** Those that end; default: all that contradict it. */
  readonly others?: readonly (Feature | string)[];
}
