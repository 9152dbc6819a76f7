import {
  type AddSetTypeRequest,
  type ConfigureSetRequest,
  type IdempotencyToken,
  type IdentifySetRequest,
  type OrganizationAccess,
  type SemanticSet,
  type SetType,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { nullable } from '../wire/answers.js';
import { listOf } from '../wire/reading/collections.js';
import { setMetadata } from '../wire/reading/json-texts.js';
import { boolean } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { text } from '../wire/reading/text.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

/** More keys than an episode can have make no sense. */
const tagList = listOf(text(128), { max: 'MAX_METADATA_KEYS' });

/** Holds the values of all tags of a set. */
export const setId = text('MAX_CONTENT_CHARS');

export class CreateSetTypeBody extends TenantBody {
  @Wire(boolean, { default: false })
  readonly is_org_level!: boolean;

  /** The metadata keys that an episode must have to belong to a set of this type. */
  @Wire(tagList)
  readonly metadata_tags!: readonly string[];

  @Wire(text('MAX_LABEL_CHARS'), { optional: true, nullable: true })
  readonly name?: string | undefined;

  @Wire(text('MAX_DESCRIPTION_CHARS'), { optional: true, nullable: true })
  readonly description?: string | undefined;
}

export class DeleteSetTypeBody extends TenantBody {
  @Wire(text('MAX_LABEL_CHARS'))
  readonly set_type_id!: string;
}

export class GetSetIdBody extends TenantBody {
  @Wire(boolean, { default: false })
  readonly is_org_level!: boolean;

  @Wire(tagList)
  readonly metadata_tags!: readonly string[];

  /** Values of the tags; a tag without one is left out. */
  @Wire(setMetadata, { default: {}, nullable: true })
  readonly set_metadata!: Readonly<Record<string, string>>;
}

export class ListSetIdsBody extends TenantBody {
  @Wire(setMetadata, { default: {}, nullable: true })
  readonly set_metadata!: Readonly<Record<string, string>>;
}

export class ConfigureSetBody extends TenantBody {
  @Wire(setId)
  readonly set_id!: string;

  /** Absent = unchanged. */
  @Wire(text('MAX_LABEL_CHARS'), { optional: true, nullable: true })
  readonly embedder_name?: string | undefined;

  /** Absent = unchanged. */
  @Wire(text('MAX_LABEL_CHARS'), { optional: true, nullable: true })
  readonly llm_name?: string | undefined;
}

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
