import { type components } from '../api.generated.js';

type Schemas = components['schemas'];

/** A message as it is remembered. */
export interface Episode {
  readonly kind: 'episode';
  readonly id: string;
  readonly content: string;
  /** Who said it. */
  readonly producer: string;
  readonly role: string;
  /** Whom it was said to. */
  readonly producedFor: string;
  readonly at: Date;
  readonly metadata: Readonly<Record<string, string>>;
  /** 0 to 1, higher is better, comparable between queries; only of a hit in long-term memory. */
  readonly score?: number;
}

/** A small fact that was learned or written. */
export interface Feature {
  readonly kind: 'feature';
  readonly id: string;
  readonly set: string;
  readonly category: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  /** The user, or another person, whom it is about; empty: no one in particular; absent: nothing says. */
  readonly subject?: string;
  /** `protected`: a client wrote it. `trusted`, `untrusted`: by the producers of the messages that it rests on. */
  readonly trust: 'protected' | 'trusted' | 'untrusted';
  /** Ids of the episodes that it rests on, where the API tells them. */
  readonly citations: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Since when it holds, where that is known. */
  readonly validFrom?: Date;
  /** The first moment at which it does not hold any more, where that is known. */
  readonly validUntil?: Date;
  /** Whether a client has pinned it. */
  readonly pinned: boolean;
  /** Ids of features that contradict it. */
  readonly conflictsWith: readonly string[];
  /** 0 to 1, higher is better, comparable between queries; only of a hit. */
  readonly score?: number;
}

export type Remembered = Episode | Feature;

export function toEpisode(episode: Schemas['EpisodeResponse'] | Schemas['Episode']): Episode {
  return {
    kind: 'episode',
    id: episode.uid,
    content: episode.content,
    producer: episode.producer_id,
    role: episode.producer_role,
    producedFor: episode.produced_for_id,
    at: new Date(episode.created_at),
    metadata: episode.metadata ?? {},
    ...('score' in episode && { score: episode.score }),
  };
}

export const toFeature = (feature: Schemas['SemanticFeature']): Feature => ({
  kind: 'feature',
  id: feature.metadata.id,
  set: feature.set_id,
  category: feature.category,
  tag: feature.tag,
  name: feature.feature_name,
  value: feature.value,
  ...(feature.subject !== undefined && { subject: feature.subject }),
  trust: feature.trust,
  citations: feature.metadata.citations ?? [],
  metadata: feature.metadata.other ?? {},
  ...(feature.valid_from !== undefined && { validFrom: new Date(feature.valid_from) }),
  ...(feature.valid_until !== undefined && { validUntil: new Date(feature.valid_until) }),
  pinned: feature.pinned === true,
  conflictsWith: feature.conflicts_with ?? [],
  ...(feature.score !== undefined && { score: feature.score }),
});
