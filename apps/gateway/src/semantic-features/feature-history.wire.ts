import { CHANGE_ACTIONS, CHANGE_ORIGINS, type FeatureChangeRecord, type FeatureState } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable, textMap } from '../wire/answers.js';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { fromSubject, subjectAnswer, trustAnswer } from './semantic-features.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

const stateAnswer = Type.Object(
  {
    category: described(Type.String(), 'Name of the category.', 'profile'),
    tag: described(Type.String(), 'Name of the tag: the group inside the category.', 'travel'),
    feature_name: described(
      Type.String(),
      'Name of the feature: what the value is about.',
      'seat preference',
    ),
    value: described(Type.String(), 'What is known.', 'prefers window seats'),
    subject: subjectAnswer,
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
    change_id: described(
      Type.String(),
      'Id of the change, to undo it by; all that was changed at once has the same.',
      EXAMPLE_UID,
    ),
    action: described(
      Type.Enum([...CHANGE_ACTIONS]),
      'What happened to the feature: `add`, `update` or `remove`.',
    ),
    origin: described(
      Type.Enum([...CHANGE_ORIGINS]),
      'What changed it: `client`: a request; `ingestion`: messages; `consolidation`: the merging of features that say the same; `undo`: going back behind a change; `import`: a file.',
    ),
    job_id: described(
      nullable(Type.String()),
      'Id of the run of ingestion or consolidation that made the change; null when no run did.',
    ),
    model: described(
      nullable(Type.String()),
      'Name of the language model that asked for the change, as registered; null when none did.',
      'gpt',
    ),
    author: described(
      nullable(authorAnswer),
      'The caller that asked for the change; null when none did, or callers do not have to say who they are.',
    ),
    episodes: Type.Array(Type.String(), { description: 'Uids of the episodes that brought it about.' }),
    at: described(instantText, 'When it was changed, in UTC.', EXAMPLE_INSTANT),
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
  origin: change.origin,
  job_id: change.jobId ?? null,
  model: change.model ?? null,
  author: change.author ? fromAuthor(change.author) : null,
  episodes: [...change.episodes],
  at: wireInstant(change.at),
  before: change.before ? fromState(change.before) : null,
  after: change.after ? fromState(change.after) : null,
});

const fromState = ({ name, citations, ...state }: FeatureState): StateAnswer => ({
  category: state.category,
  tag: state.tag,
  feature_name: name,
  value: state.value,
  ...fromSubject(state.subject),
  metadata: state.metadata,
  trust: state.trust,
  citations: [...citations],
});
