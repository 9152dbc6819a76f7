import { type FeatureChangeRecord, type FeatureState } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { nullable, textMap } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { fromValidity, validityAnswer } from '../wire/validity.wire.js';
import {
  causeAnswer,
  changeActionAnswer,
  changedAtAnswer,
  changeIdAnswer,
  fromCause,
} from './change-cause.wire.js';
import { contentAnswer, fromSubject, trustAnswer } from './feature-answer.wire.js';

export const stateAnswer = Type.Object(
  {
    ...contentAnswer,
    ...validityAnswer,
    metadata: described(textMap, 'What a client has noted of it; empty when nothing.'),
    trust: trustAnswer,
    citations: described(Type.Array(Type.String()), 'Uids of the episodes that it rested on.'),
  },
  { title: 'FeatureState' },
);
type StateAnswer = Static<typeof stateAnswer>;

/** One thing that happened to a feature. */
const changeAnswer = Type.Object(
  {
    change_id: changeIdAnswer,
    action: changeActionAnswer,
    ...causeAnswer,
    episodes: Type.Array(Type.String(), { description: 'Uids of the episodes that brought it about.' }),
    at: changedAtAnswer,
    before: described(nullable(stateAnswer), 'The feature before the change; null when there was none.'),
    after: described(nullable(stateAnswer), 'The feature after the change; null when it was removed.'),
  },
  {
    title: 'FeatureChange',
    description: '`before` is null when there was no such feature, `after` when there is none.',
  },
);
type ChangeAnswer = Static<typeof changeAnswer>;

export const historyAnswer = Type.Object(
  { changes: described(Type.Array(changeAnswer), 'Newest first.') },
  { title: 'FeatureHistory' },
);
export type HistoryAnswer = Static<typeof historyAnswer>;

export const fromChange = (change: FeatureChangeRecord): ChangeAnswer => ({
  change_id: change.changeId,
  action: change.action,
  ...fromCause(change),
  episodes: [...change.episodes],
  at: wireInstant(change.at),
  before: change.before ? fromState(change.before) : null,
  after: change.after ? fromState(change.after) : null,
});

export const fromState = ({ name, citations, ...state }: FeatureState): StateAnswer => ({
  category: state.category,
  tag: state.tag,
  feature_name: name,
  value: state.value,
  ...fromSubject(state.subject),
  ...fromValidity(state.validity),
  metadata: state.metadata,
  trust: state.trust,
  citations: [...citations],
});
