import { CHANGE_ACTIONS, CHANGE_ORIGINS, type FeatureChangeRecord } from '@loci/contracts';
import { boolean, byDefault, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

export const changeIdAnswer = described(
  Type.String(),
  'Id of the change, to undo it by; all that was changed at once has the same.',
  EXAMPLE_UID,
);

export const changeActionAnswer = described(
  Type.Enum([...CHANGE_ACTIONS]),
  'What happened to the feature: `add`, `update` or `remove`.',
);

export const changedAtAnswer = described(instantText, 'When it was changed, in UTC.', EXAMPLE_INSTANT);

/** Of what undoes changes. */
export const unlessChanged = described(
  byDefault(boolean, false),
  'Whether nothing is undone, and the answer is 409 `changed_since` with the ids of these changes, where the features were changed since: what later changes made of them would go, too.',
);

/** What brought a change of features about. */
export const causeAnswer = {
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
};
type CauseAnswer = { -readonly [Name in keyof typeof causeAnswer]: Static<(typeof causeAnswer)[Name]> };

export const fromCause = ({
  origin,
  jobId,
  model,
  author,
}: Pick<FeatureChangeRecord, 'origin' | 'jobId' | 'model' | 'author'>): CauseAnswer => ({
  origin,
  job_id: jobId ?? null,
  model: model ?? null,
  author: author ? fromAuthor(author) : null,
});
