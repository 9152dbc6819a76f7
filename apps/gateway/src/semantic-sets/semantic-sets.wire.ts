import {
  type AddSetTypeRequest,
  type ConfigureSetRequest,
  type IdempotencyToken,
  type IdentifySetRequest,
  type ListSetTypesRequest,
  type OrganizationAccess,
  type SemanticSet,
  type SetType,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  integer,
  listOf,
  nullAsAbsent,
  nullish,
  optional,
  text,
  described,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { nullable } from '../wire/answers.js';
import { setMetadata } from '../wire/schema/json-texts.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';

/** More keys than an episode can have make no sense. */
const tagList = listOf(text(128), { max: 'MAX_METADATA_KEYS' });

const MAX_SET_TYPES_PER_PAGE = 1_000;

/** So that what is before a page is counted in 32 bits. */
const MAX_PAGE = 2_000_000;

/** Holds the values of all tags of a set. */
export const setId = text('MAX_CONTENT_CHARS');

export class CreateSetTypeBody extends request('CreateSetTypeSpec', {
  ...TenantBody.schema.properties,
  is_org_level: described(
    byDefault(boolean, false),
    'Whether all projects of the organization share the sets of this type.',
  ),
  metadata_tags: described(
    tagList,
    'The metadata keys that an episode must have to belong to a set of this type.',
    ['user_id'],
  ),
  name: described(
    nullish(text('MAX_LABEL_CHARS')),
    'What the type is called, for people. Absent or null = nothing.',
    'User profile',
  ),
  description: described(
    nullish(text('MAX_DESCRIPTION_CHARS')),
    'What its sets are about, for people. Absent or null = nothing.',
    'What we know of each user',
  ),
}) {}

export class ListSetTypesBody extends request('ListSetTypesSpec', {
  ...TenantBody.schema.properties,
  page_size: described(
    optional(integer({ min: 1, max: MAX_SET_TYPES_PER_PAGE })),
    'Set types on a page, oldest first. Absent or null = all at once.',
    100,
  ),
  page_num: described(byDefault(integer({ min: 0, max: MAX_PAGE }), 0), 'The page, from 0.'),
}) {}

export class DeleteSetTypeBody extends request('DeleteSetTypeSpec', {
  ...TenantBody.schema.properties,
  set_type_id: described(text('MAX_LABEL_CHARS'), 'Id of the set type.', EXAMPLE_UID),
}) {}

export class GetSetIdBody extends request('GetSetIdSpec', {
  ...TenantBody.schema.properties,
  is_org_level: described(
    byDefault(boolean, false),
    'Whether all projects of the organization share the set.',
  ),
  metadata_tags: described(tagList, 'The metadata keys that its episodes are grouped by.', ['user_id']),
  set_metadata: described(
    byDefault(nullAsAbsent(setMetadata), {}),
    'Values of these keys; a key without a value is left out.',
    { user_id: 'alice' },
  ),
}) {}

export class ListSetIdsBody extends request('ListSetIdsSpec', {
  ...TenantBody.schema.properties,
  set_metadata: described(
    byDefault(nullAsAbsent(setMetadata), {}),
    'Metadata as an episode would have them: the sets that such an episode belongs to are listed, at most 64.',
    { user_id: 'alice' },
  ),
}) {}

export class ConfigureSetBody extends request('ConfigureSetSpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set.', EXAMPLE_SET_ID),
  embedder_name: described(
    nullish(text('MAX_LABEL_CHARS')),
    'Name of the registered embedder of its features. Absent or null = unchanged.',
    'local',
  ),
  llm_name: described(
    nullish(text('MAX_LABEL_CHARS')),
    'Name of the registered language model that extracts its features. Absent or null = unchanged.',
    'gpt',
  ),
}) {}

export const toAddSetType = (
  body: CreateSetTypeBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): AddSetTypeRequest => ({
  tenant: tenantOf(body),
  organization,
  isOrgLevel: body.is_org_level,
  tags: body.metadata_tags,
  name: body.name,
  description: body.description,
  idempotency,
});

export const toListSetTypes = (
  body: ListSetTypesBody,
  organization: OrganizationAccess,
): ListSetTypesRequest => ({
  tenant: tenantOf(body),
  organization,
  limit: body.page_size,
  offset: body.page_num * (body.page_size ?? 0),
});

export const toIdentifySet = (body: GetSetIdBody, organization: OrganizationAccess): IdentifySetRequest => ({
  tenant: tenantOf(body),
  organization,
  isOrgLevel: body.is_org_level,
  tags: body.metadata_tags,
  metadata: body.set_metadata,
});

export const toConfigureSet = (
  body: ConfigureSetBody,
  organization: OrganizationAccess,
  idempotency: IdempotencyToken | undefined,
): ConfigureSetRequest => ({
  tenant: tenantOf(body),
  organization,
  setId: body.set_id,
  embedderName: body.embedder_name,
  llmName: body.llm_name,
  idempotency,
});

/** A set or a set type, as both are shown. */
const entry = Type.Object(
  {
    id: described(Type.String(), 'Id of the set or set type.', EXAMPLE_SET_ID),
    is_org_level: Type.Boolean({ description: 'Shared by all projects of the organization.' }),
    tags: Type.Array(Type.String(), { description: 'The metadata keys that episodes are grouped by.' }),
    name: described(
      nullable(Type.String()),
      'What it is called, for people; null = nothing is said.',
      'User profile',
    ),
    description: described(
      nullable(Type.String()),
      'What it is about, for people; null = nothing is said.',
      'What we know of each user',
    ),
  },
  { title: 'SemanticSetEntry' },
);
type SetEntry = Static<typeof entry>;

export const setTypeIdAnswer = Type.Object(
  { set_type_id: described(Type.String(), 'Id of the set type.', EXAMPLE_UID) },
  { title: 'SetTypeId' },
);
export type SetTypeIdAnswer = Static<typeof setTypeIdAnswer>;

export const setTypeListAnswer = Type.Object(
  { set_types: described(Type.Array(entry), 'The set types of the project and of its organization.') },
  { title: 'SetTypeList' },
);
export type SetTypeListAnswer = Static<typeof setTypeListAnswer>;

export const setIdAnswer = Type.Object(
  {
    set_id: described(Type.String(), 'Id of the set.', EXAMPLE_SET_ID),
  },
  { title: 'SetId' },
);
export type SetIdAnswer = Static<typeof setIdAnswer>;

export const setListAnswer = Type.Object(
  { sets: described(Type.Array(entry), 'The sets.') },
  { title: 'SetList' },
);
export type SetListAnswer = Static<typeof setListAnswer>;

const fromEntry = (id: string, shown: Omit<SemanticSet, 'setId'>): SetEntry => ({
  id,
  is_org_level: shown.isOrgLevel,
  tags: [...shown.tags],
  name: shown.name ?? null,
  description: shown.description ?? null,
});

export const fromSetType = ({ setTypeId, ...type }: SetType): SetEntry => fromEntry(setTypeId, type);

export const fromSet = ({ setId: id, ...set }: SemanticSet): SetEntry => fromEntry(id, set);
