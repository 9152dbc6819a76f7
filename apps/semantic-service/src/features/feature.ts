import {
  type Author,
  type ChangeOriginKind,
  type FeatureOrigin,
  type FeatureTrust,
  type Instant,
} from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { citedMetadata } from './cited-metadata.js';
import { type Partition } from './partition.js';
import { type DateStatement, type Validity } from './validity.js';

/** An episode that a feature was learned from, with what filters ask of it. */
export interface Citation {
  readonly episodeUid: string;
  readonly projectUid: string;
  readonly producerId: string;
  readonly producerRole: string;
  readonly producedForId: string;
  readonly createdAt: Instant;
  /** Absent in what an older version wrote: before anything that is known. */
  readonly addedAt?: Instant | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the author of the episode speaks for its producer alone. */
  readonly isBound?: boolean | undefined;
}

/** What a citation keeps of an episode: nothing that was said in it, and no more of its metadata than there is room for. */
export const citationOf = (episode: Citation): Citation => ({
  episodeUid: episode.episodeUid,
  projectUid: episode.projectUid,
  producerId: episode.producerId,
  producerRole: episode.producerRole,
  producedForId: episode.producedForId,
  createdAt: episode.createdAt,
  addedAt: episode.addedAt,
  metadata: citedMetadata(episode.metadata),
  isBound: episode.isBound,
});

/** What a feature says. */
export interface FeatureContent {
  /**
   * Whom it is about: the id of a user, or the name that messages give another person. Empty: no one in particular. Absent: nothing
   * says, as in projects whose facts have no subjects.
   */
  readonly subject?: string | undefined;
  readonly category: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
}

/** What can change of a feature, and be put back. */
export interface FeatureState extends FeatureContent, Partition {
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether a client wrote it, or a part of it: then it stands without citations too. */
  readonly byClient: boolean;
  /** Whether its name has one value at a time, so that another value contradicts it; absent where nothing says so. */
  readonly isSingleValued?: boolean | undefined;
  /** Uids of those that a consolidation found to contradict it; it counts where these name it, too. Absent: none. */
  readonly contradicts?: readonly string[] | undefined;
  /** Whether a client wants it first; absent in what an older version wrote. */
  readonly isPinned?: boolean | undefined;
  /** Who determined last what it says. */
  readonly origin: FeatureOrigin;
  readonly citations: readonly Citation[];
  /** What was said of when it holds; absent when nothing was. */
  readonly dates?: readonly DateStatement[] | undefined;
  /** When what it says was stored. */
  readonly recordedAt: Instant;
}

/** Where a feature is: the owner is that of its set. */
export interface FeatureLocation {
  readonly setUid: string;
  readonly orgId: string;
  /** Absent in a set of the organization. */
  readonly projectUid: string | undefined;
}

/** What features of one set are told apart by, except for their value. */
export type FeatureName = Omit<FeatureContent, 'value'> & Partition & Pick<FeatureLocation, 'setUid'>;

/** A feature that may be there. */
export interface SoughtFeature extends FeatureContent, FeatureName {
  /** Those that ended before do not count; absent: all count. */
  readonly since: Instant | undefined;
}

export interface FeatureRecord extends FeatureState, FeatureLocation {
  readonly uid: string;
  /** As it is stored: when it expires unless it is said again; absent: never, or not stored yet. */
  readonly expiresAt?: Instant | undefined;
  /** Of an imported one; absent = when it is stored. */
  readonly createdAt?: Instant | undefined;
  /** As it is stored: whether a client decided last that it is pinned, or that it is not; else a change brought or took the pin. */
  readonly isPinByClient?: boolean | undefined;
}

/** A feature as far as it takes to take it away. */
export interface FeatureFact extends FeatureLocation {
  readonly uid: string;
  readonly subject?: string | undefined;
  /** Of all of them the one that names a user. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A feature as readers see it. */
export interface Feature extends FeatureContent, Validity {
  readonly uid: string;
  readonly setUid: string;
  /** Public id of its set. */
  readonly setId: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly trust: FeatureTrust;
  readonly origin: FeatureOrigin;
  /** When what it says was stored. */
  readonly recordedAt: Instant;
  /** Whether a client wants it first where it asks so. */
  readonly isPinned: boolean;
  /** When it expires unless it is said again; absent: never. */
  readonly expiresAt?: Instant | undefined;
  /** Whether its name has one value at a time; absent where nothing says so. */
  readonly isSingleValued?: boolean | undefined;
  /** Uids of those that contradict it: `CONFLICTS_WITH`. */
  readonly conflictsWith: readonly string[];
  /** Grows with every change of what is embedded. */
  readonly revision: number;
}

/** Who changes features, and from what. */
export interface ChangeOrigin {
  readonly kind: ChangeOriginKind;
  /** The change that it is a part of; absent = one of its own. Absent in what an older version wrote. */
  readonly changeUid?: string | undefined;
  readonly jobId?: string | undefined;
  /** Name of the language model that proposed it. */
  readonly model?: string | undefined;
  /** The client that asked for it. */
  readonly author?: Author | undefined;
  /** Uids of the episodes that were read for it. */
  readonly episodes: readonly string[];
  /** Of a removal by ingestion: the messages that said that it was never true. */
  readonly saidBy?: readonly MessageReference[] | undefined;
}

/** Names a message that a change rests on. */
export type MessageReference = Pick<Citation, 'projectUid' | 'episodeUid' | 'addedAt'>;

/** All that is written with this origin belongs to the same change. */
export const asOneChange = (origin: ChangeOrigin): ChangeOrigin => ({ changeUid: uuidv7(), ...origin });

/** The whole content in one text: what is embedded, and what words are searched in. */
export const featureText = ({ tag, name, value }: FeatureContent): string => `${tag}. ${name}: ${value}`;

/** The uids of their sets, each once. */
export const setsOf = (features: readonly Pick<FeatureRecord, 'setUid'>[]): string[] => [
  ...new Set(features.map(({ setUid }) => setUid)),
];
