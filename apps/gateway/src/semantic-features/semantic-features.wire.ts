import {
  type AddFeatureRequest,
  type IdempotencyToken,
  type UpdateFeatureRequest,
  type OrganizationAccess,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  described,
  listOf,
  nameText,
  nullAsAbsent,
  nullish,
  text,
  textMap,
  withKeywords,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { jsonTexts } from '../wire/schema/json-texts.js';
import { METADATA_LIMITS } from '../wire/schema/metadata-limits.js';
import { request } from '../wire/schema/request.js';
import { uuid } from '../wire/schema/uuid.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import { unlessChanged } from './change-cause.wire.js';
import { statedFields, statedValidity } from '../wire/validity.wire.js';

const id = text('MAX_LABEL_CHARS');
const label = nameText('MAX_LABEL_CHARS');

export class AddFeatureBody extends request('AddFeatureSpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set that gets the feature.', EXAMPLE_SET_ID),
  category_name: described(label, 'Name of a category of the set.', 'profile'),
  tag: described(label, 'Name of the tag: the group inside the category. It need not be declared.', 'travel'),
  feature: described(label, 'Name of the feature: what the value is about.', 'seat preference'),
  value: described(text('MAX_CONTENT_CHARS'), 'What is known.', 'prefers window seats'),
  subject: nullish(
    withKeywords(nameText('MAX_LABEL_CHARS', { min: 0 }), {
      description:
        'Whom it is about: the id of a user; empty = no one in particular. Absent = the `user_id` in its metadata, else the user whose set it is.',
    }),
  ),
  feature_metadata: described(
    byDefault(nullAsAbsent(jsonTexts(METADATA_LIMITS)), {}),
    'What the client notes of it, for filters; values that are no texts are stored as JSON.',
    { source: 'crm' },
  ),
  ...statedFields,
  pinned: nullish(
    withKeywords(boolean, {
      description: 'Whether it comes first where `pinned_first` asks so. Absent or null = no.',
    }),
  ),
  single_valued: nullish(
    withKeywords(boolean, {
      description:
        'Whether its name can have one value at a time, so that another value contradicts it. Absent or null = nothing says so.',
    }),
  ),
  citations: described(
    byDefault(nullAsAbsent(listOf(id, { max: 'MAX_IDS_PER_DELETE' })), []),
    'Uids of the episodes of the project that it rests on.',
    [EXAMPLE_UID],
  ),
}) {}

export class FeatureIdBody extends request('FeatureIdSpec', {
  ...TenantBody.schema.properties,
  feature_id: described(id, 'Id of the feature.', EXAMPLE_UID),
}) {}

export class FeatureHistoryBody extends request('FeatureHistorySpec', {
  ...FeatureIdBody.schema.properties,
  cursor: described(
    nullish(uuid),
    'The `x-next-cursor` of the page before. Absent or null = the newest changes.',
    EXAMPLE_UID,
  ),
}) {}

export class GetFeatureBody extends request('GetFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  load_citations: described(
    byDefault(boolean, false),
    'Whether the answer names the episodes that the feature rests on.',
  ),
}) {}

/** Absent = unchanged. */
export class UpdateFeatureBody extends request('UpdateFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  category_name: described(
    nullish(label),
    'Name of another category of the set. Absent or null = unchanged.',
    'profile',
  ),
  tag: described(nullish(label), 'Name of another tag. Absent or null = unchanged.', 'travel'),
  feature: described(
    nullish(label),
    'Another name of the feature. Absent or null = unchanged.',
    'seat preference',
  ),
  value: described(
    nullish(text('MAX_CONTENT_CHARS')),
    'What is known now. Absent or null = unchanged.',
    'prefers aisle seats',
  ),
  metadata: described(
    nullish(textMap(METADATA_LIMITS)),
    'What the client notes of it; replaces all of it. Absent or null = unchanged.',
    { source: 'crm' },
  ),
  ...statedFields,
  pinned: nullish(
    withKeywords(boolean, {
      description: 'Pins the feature, or takes its pin away. Absent or null = unchanged.',
    }),
  ),
  single_valued: nullish(
    withKeywords(boolean, {
      description:
        'Whether its name can have one value at a time; false = others never contradict it. Absent or null = unchanged.',
    }),
  ),
}) {}

export class UndoFeatureBody extends request('UndoFeatureSpec', {
  ...FeatureIdBody.schema.properties,
  change_id: described(
    nullish(id),
    'The change to go back behind. Absent or null = the latest.',
    EXAMPLE_UID,
  ),
  unless_changed: unlessChanged,
}) {}

export const toAddFeature = (
  body: AddFeatureBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): AddFeatureRequest => ({
  tenant: tenantOf(body),
  organization,
  setId: body.set_id,
  category: body.category_name,
  tag: body.tag,
  name: body.feature,
  value: body.value,
  subject: body.subject ?? body.feature_metadata['user_id'],
  metadata: body.feature_metadata,
  validity: statedValidity(body),
  isPinned: body.pinned,
  isSingleValued: body.single_valued,
  citations: body.citations,
  idempotency,
});

export const toUpdateFeature = (
  body: UpdateFeatureBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): UpdateFeatureRequest => ({
  tenant: tenantOf(body),
  organization,
  featureId: body.feature_id,
  category: body.category_name,
  tag: body.tag,
  name: body.feature,
  value: body.value,
  metadata: body.metadata,
  validity: statedValidity(body),
  isPinned: body.pinned,
  isSingleValued: body.single_valued,
  idempotency,
});

export const featureIdAnswer = Type.Object(
  { feature_id: described(Type.String(), 'Id of the feature.', EXAMPLE_UID) },
  { title: 'FeatureId' },
);
export type FeatureIdAnswer = Static<typeof featureIdAnswer>;
