import { type Feature, type FoundEpisode, type OrganizationAccess } from '@loci/contracts';
import {
  byDefault,
  described,
  filledText,
  integer,
  nullish,
  number,
  optional,
  withKeywords,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { episodesOf, featuresOf, setMetadataOf } from '../context/context-scope.js';
import { episodeAnswer, fromFoundEpisode } from '../memories/episode.wire.js';
import { type FoundMemories, type MemoryQueries } from '../memories/memory-search.js';
import { SearchMemoriesBody } from '../memories/search-memories.wire.js';
import { requestedTypes, typeList } from '../memories/memory-types.wire.js';
import { featureAnswer, fromFeature } from '../semantic-features/feature-answer.wire.js';
import { EXAMPLE_UID } from '../wire/examples.js';
import { filter } from '../wire/schema/filter.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { asOf } from '../wire/validity.wire.js';

export class RecallBody extends request('RecallSpec', {
  ...TenantBody.schema.properties,
  query: SearchMemoriesBody.schema.properties.query,
  top_k: described(
    byDefault(integer({ min: 1, max: 'MAX_TOP_K' }), 10),
    'The most memories that are answered, of all kinds together.',
  ),
  score_threshold: described(
    nullish(number({})),
    'The least score of a memory, 0 to 1; absent or null = nothing is cut.',
    0.5,
  ),
  filter: optional(filter),
  user: described(
    nullish(withKeywords(filledText('MAX_METADATA_VALUE_CHARS'), {})),
    'Nothing of other users is read, as in a context: episodes of this user, and features that are about this user. Absent or null = all of the project.',
    'alice',
  ),
  session: described(
    nullish(withKeywords(filledText('MAX_METADATA_VALUE_CHARS'), {})),
    'Only episodes whose metadata `session_id` is this one are read; absent or null = those of all sessions. Features are chosen as in a context.',
    'trip-to-lisbon',
  ),
  as_of: asOf,
  types: described(byDefault(typeList, []), 'Kinds of memory that are read; empty = all.', [
    'episodic',
    'semantic',
  ]),
}) {}

const scopeOf = ({ user, session }: RecallBody) => ({ user, session });

export const toRecallQueries = (body: RecallBody, organization: OrganizationAccess): MemoryQueries => {
  const types = requestedTypes(body.types);
  const asked = {
    tenant: tenantOf(body),
    query: body.query,
    topK: body.top_k,
    scoreThreshold: body.score_threshold,
  };
  const args = [episodesOf(scopeOf(body)), body.filter].filter((one) => one !== undefined);
  const episodes = {
    ...asked,
    expandContext: 0,
    filter: args.length > 1 ? ({ op: 'and', args } as const) : args[0],
    rankShortTerm: true,
  };
  const features = {
    ...asked,
    organization,
    filter: body.filter,
    setMetadata: setMetadataOf(scopeOf(body)),
    user: body.user,
    asOf: body.as_of,
  };
  return {
    episodes: types.includes('episodic') ? episodes : undefined,
    features: types.includes('semantic') ? features : undefined,
  };
};

const memory = Type.Object(
  {
    kind: described(
      Type.Enum(['episode', 'feature']),
      '`episode`: a message as it was said; `feature`: a fact that was learned or written.',
    ),
    id: described(
      Type.String(),
      'Uid of the episode, or id of the feature: what an answer cites.',
      EXAMPLE_UID,
    ),
    text: described(
      Type.String(),
      'What was said, or the value of the feature.',
      'Alice prefers window seats.',
    ),
    score: described(
      Type.Number(),
      'How well it fits the query, 0 to 1. It means the same for both kinds and for every query: 0.5 and more is "this", less is "perhaps nothing here".',
      0.83,
    ),
    recent: Type.Optional(
      Type.Literal(true, {
        description: 'It is one of the newest `top_k` episodes of short-term memory; absent where it is not.',
      }),
    ),
    episode: described(Type.Optional(episodeAnswer), 'The whole episode; absent for a feature.'),
    feature: described(Type.Optional(featureAnswer), 'The whole feature; absent for an episode.'),
  },
  { title: 'RecalledMemory' },
);
type Memory = Static<typeof memory>;

export const recallAnswer = Type.Object(
  { memories: Type.Array(memory, { description: 'Best first, whatever their kind.' }) },
  { title: 'RecallResult' },
);
export type RecallAnswer = Static<typeof recallAnswer>;

/** Both kinds as one list, best first; of equal scores what is known comes before what was said. */
export function toRecall(body: RecallBody, { episodes, features }: FoundMemories): RecallAnswer {
  const recent = new Set((episodes?.shortTerm ?? []).map(({ uid }) => uid));
  const known = featuresOf(scopeOf(body), features?.features ?? []).map(fromKnown);
  const said = (episodes?.longTerm ?? []).map((episode) => fromSaid(episode, recent.has(episode.uid)));
  const memories = [...known, ...said].sort((one, other) => other.score - one.score);
  return { memories: memories.slice(0, body.top_k) };
}

const fromKnown = (feature: Feature): Memory => ({
  kind: 'feature',
  id: feature.featureId,
  text: feature.value,
  score: feature.score ?? 0,
  feature: fromFeature(feature),
});

const fromSaid = (episode: FoundEpisode, isRecent: boolean): Memory => ({
  kind: 'episode',
  id: episode.uid,
  text: episode.content,
  score: episode.score,
  ...(isRecent && { recent: true as const }),
  episode: fromFoundEpisode(episode),
});
