import { type Conflict, MAX_CONFLICTS_PER_PAGE } from '@loci/contracts';
import { byDefault, described, integer, listOf, nullish, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { featureAnswer, fromFeature } from '../semantic-features/feature-answer.wire.js';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

const INT32_MAX = 2 ** 31 - 1;

const id = text('MAX_LABEL_CHARS');

export class ListConflictsBody extends request('ListConflictsSpec', {
  ...TenantBody.schema.properties,
  set_id: described(
    nullish(setId),
    'Only conflicts of this set. Absent or null = of all sets.',
    EXAMPLE_SET_ID,
  ),
  subject: described(
    nullish(text('MAX_LABEL_CHARS')),
    'Only conflicts of what is known of this user, or of another person by the name that messages give; 422 for one of whom nothing was ever heard. Absent or null = of everybody.',
    'alice',
  ),
  page_size: described(
    byDefault(integer({ min: 1, max: MAX_CONFLICTS_PER_PAGE }), 20),
    'Conflicts on a page.',
  ),
  page_num: described(byDefault(integer({ min: 0, max: INT32_MAX }), 0), 'The page, from 0.'),
}) {}

export class SettleConflictBody extends request('SettleConflictSpec', {
  ...TenantBody.schema.properties,
  feature_id: described(id, 'Id of the feature that holds.', EXAMPLE_UID),
  other_ids: described(
    nullish(listOf(id, { min: 1, max: 'MAX_IDS_PER_DELETE' })),
    'Ids of those that end. Absent or null = all that contradict it.',
    [EXAMPLE_UID],
  ),
}) {}

const conflictAnswer = Type.Object(
  {
    features: Type.Array(featureAnswer, {
      description: 'Oldest first; at most 20. Each names in `conflicts_with` those that contradict it.',
    }),
  },
  {
    title: 'Conflict',
    description: 'Features of one set, category, tag, name and subject that contradict each other.',
  },
);

export const conflictsAnswer = Type.Object(
  { conflicts: Type.Array(conflictAnswer, { description: 'Oldest first.' }) },
  { title: 'ConflictList' },
);
export type ConflictsAnswer = Static<typeof conflictsAnswer>;

export const fromConflict = ({ features }: Conflict): Static<typeof conflictAnswer> => ({
  features: features.map(fromFeature),
});
