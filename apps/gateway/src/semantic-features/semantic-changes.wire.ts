import { MAX_CHANGES_PER_PAGE, MAX_CHANGES_PER_UNDO, type SetChange } from '@loci/contracts';
import { byDefault, described, integer, listOf, nullish, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { request } from '../wire/schema/request.js';
import { uuid } from '../wire/schema/uuid.js';
import { TenantBody } from '../wire/tenant.wire.js';
import { EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import {
  causeAnswer,
  changeActionAnswer,
  changedAtAnswer,
  changeIdAnswer,
  fromCause,
  unlessChanged,
} from './change-cause.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListChangesBody extends request('ListChangesSpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set.', EXAMPLE_SET_ID),
  page_size: described(byDefault(integer({ min: 1, max: MAX_CHANGES_PER_PAGE }), 20), 'Changes on a page.'),
  page_num: described(byDefault(integer({ min: 0, max: INT32_MAX }), 0), 'The page, from 0.'),
  cursor: described(
    nullish(uuid),
    'The `change_id` behind which the pages begin, such as that of the last change of the page before. Absent or null = the newest changes.',
    EXAMPLE_UID,
  ),
}) {}

export class UndoChangesBody extends request('UndoChangesSpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set.', EXAMPLE_SET_ID),
  change_ids: described(
    listOf(text('MAX_LABEL_CHARS'), { min: 1, max: MAX_CHANGES_PER_UNDO }),
    'Ids of the changes to go back behind; all are undone or none.',
    [EXAMPLE_UID],
  ),
  unless_changed: unlessChanged,
}) {}

const changedFeature = Type.Object(
  {
    feature_id: described(Type.String(), 'Id of the feature.', EXAMPLE_UID),
    action: changeActionAnswer,
  },
  { title: 'ChangedFeature' },
);

const setChange = Type.Object(
  {
    change_id: changeIdAnswer,
    ...causeAnswer,
    at: changedAtAnswer,
    features: Type.Array(changedFeature, { description: 'What was changed, in the order of changing.' }),
  },
  { title: 'SetChange', description: 'All that was changed at once in a set.' },
);

export const setChangesAnswer = Type.Object(
  { changes: described(Type.Array(setChange), 'Newest first.') },
  { title: 'SetChanges' },
);
export type SetChangesAnswer = Static<typeof setChangesAnswer>;

export const fromSetChange = (change: SetChange): SetChangesAnswer['changes'][number] => ({
  change_id: change.changeId,
  ...fromCause(change),
  at: wireInstant(change.at),
  features: change.features.map(({ featureId, action }) => ({ feature_id: featureId, action })),
});
