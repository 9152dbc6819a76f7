import {
  type AddSetTypeRequest,
  type ConfigureSetRequest,
  type IdempotencyToken,
  type IdentifySetRequest,
  type OrganizationAccess,
  type SemanticSet,
  type SetType,
} from '@loci/contracts';
import { boolean, byDefault, listOf, nullAsAbsent, nullish, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { nullable } from '../wire/answers.js';
import { setMetadata } from '../wire/schema/json-texts.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

/** More keys than an episode can have make no sense. */
const tagList = listOf(text(128), { max: 'MAX_METADATA_KEYS' });

/** Holds the values of all tags of a set. */
export const setId = text('MAX_CONTENT_CHARS');

export class CreateSetTypeBody extends request('CreateSetTypeSpec', {
  ...TenantBody.schema.properties,
  is_org_level: byDefault(boolean, false),

  /** The metadata keys that an episode must have to belong to a set of this type. */
  metadata_tags: tagList,
  name: nullish(text('MAX_LABEL_CHARS')),
  description: nullish(text('MAX_DESCRIPTION_CHARS')),
}) {}

export class DeleteSetTypeBody extends request('DeleteSetTypeSpec', {
  ...TenantBody.schema.properties,
  set_type_id: text('MAX_LABEL_CHARS'),
}) {}

export class GetSetIdBody extends request('GetSetIdSpec', {
  ...TenantBody.schema.properties,
  is_org_level: byDefault(boolean, false),
  metadata_tags: tagList,

  /** Values of the tags; a tag without one is left out. */
  set_metadata: byDefault(nullAsAbsent(setMetadata), {}),
}) {}

export class ListSetIdsBody extends request('ListSetIdsSpec', {
  ...TenantBody.schema.properties,
  set_metadata: byDefault(nullAsAbsent(setMetadata), {}),
}) {}

export class ConfigureSetBody extends request('ConfigureSetSpec', {
  ...TenantBody.schema.properties,
  set_id: setId,

  /** Absent = unchanged. */
  embedder_name: nullish(text('MAX_LABEL_CHARS')),

  /** Absent = unchanged. */
  llm_name: nullish(text('MAX_LABEL_CHARS')),
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
    id: Type.String(),
    is_org_level: Type.Boolean({ description: 'Shared by all projects of the organization.' }),
    tags: Type.Array(Type.String(), { description: 'The metadata keys that episodes are grouped by.' }),
    name: nullable(Type.String()),
    description: nullable(Type.String()),
  },
  { title: 'SemanticSetEntry' },
);
type SetEntry = Static<typeof entry>;

export const setTypeIdAnswer = Type.Object({ set_type_id: Type.String() }, { title: 'SetTypeId' });
export type SetTypeIdAnswer = Static<typeof setTypeIdAnswer>;

export const setTypeListAnswer = Type.Object({ set_types: Type.Array(entry) }, { title: 'SetTypeList' });
export type SetTypeListAnswer = Static<typeof setTypeListAnswer>;

export const setIdAnswer = Type.Object({ set_id: Type.String() }, { title: 'SetId' });
export type SetIdAnswer = Static<typeof setIdAnswer>;

export const setListAnswer = Type.Object({ sets: Type.Array(entry) }, { title: 'SetList' });
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
