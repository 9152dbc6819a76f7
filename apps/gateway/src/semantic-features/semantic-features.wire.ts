import {
  type AddFeatureRequest,
  type Feature,
  type FeatureChangeRecord,
  type FeatureState,
  type IdempotencyToken,
  type UpdateFeatureRequest,
} from '@loci/contracts';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { listOf, textMap } from '../wire/reading/collections.js';
import { jsonTexts } from '../wire/reading/json-texts.js';
import { boolean } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { filledText, text } from '../wire/reading/text.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

const METADATA_LIMITS = {
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
} as const;

const id = text('MAX_LABEL_CHARS');
const label = filledText('MAX_LABEL_CHARS');

export class AddFeatureBody extends TenantBody {
  @Wire(setId)
  readonly set_id!: string;

  @Wire(label)
  readonly category_name!: string;

  @Wire(label)
  readonly tag!: string;

  @Wire(label)
  readonly feature!: string;

  @Wire(text('MAX_CONTENT_CHARS'))
  readonly value!: string;

  @Wire(jsonTexts(METADATA_LIMITS), { default: {}, nullable: true })
  readonly feature_metadata!: Readonly<Record<string, string>>;

  /** Uids of episodes of the project. */
  @Wire(listOf(id, { max: 'MAX_IDS_PER_DELETE' }), { default: [], nullable: true })
  readonly citations!: readonly string[];
}

export class FeatureIdBody extends TenantBody {
  @Wire(id)
  readonly feature_id!: string;
}

export class GetFeatureBody extends FeatureIdBody {
  @Wire(boolean, { default: false })
  readonly load_citations!: boolean;
}

/** Absent = unchanged. */
export class UpdateFeatureBody extends FeatureIdBody {
  @Wire(label, { optional: true, nullable: true })
  readonly category_name?: string | undefined;

  @Wire(label, { optional: true, nullable: true })
  readonly tag?: string | undefined;

  @Wire(label, { optional: true, nullable: true })
  readonly feature?: string | undefined;

  @Wire(text('MAX_CONTENT_CHARS'), { optional: true, nullable: true })
  readonly value?: string | undefined;

  /** Replaces all of it. */
  @Wire(textMap(METADATA_LIMITS), { optional: true, nullable: true })
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export class UndoFeatureBody extends FeatureIdBody {
  /** The change to go back behind; absent = the latest. */
  @Wire(id, { optional: true, nullable: true })
  readonly change_id?: string | undefined;
}

export const toAddFeature = (
  body: AddFeatureBody,
  idempotency: IdempotencyToken | undefined,
): AddFeatureRequest => ({
  tenant: tenantOf(body),
  setId: body.set_id,
  category: body.category_name,
  tag: body.tag,
  name: body.feature,
  value: body.value,
  metadata: body.feature_metadata,
  citations: body.citations,
  idempotency,
});

export const toUpdateFeature = (
  body: UpdateFeatureBody,
  idempotency: IdempotencyToken | undefined,
): UpdateFeatureRequest => ({
  tenant: tenantOf(body),
  featureId: body.feature_id,
  category: body.category_name,
  tag: body.tag,
  name: body.feature,
  value: body.value,
  metadata: body.metadata,
  idempotency,
});

/** A feature as clients see it (`SemanticFeature`). */
export interface FeatureAnswer {
  readonly set_id: string;
  readonly category: string;
  readonly tag: string;
  readonly feature_name: string;
  readonly value: string;
  readonly metadata: {
    readonly id: string;
    /** Absent when they were not asked for, or there are none. */
    readonly citations?: readonly string[];
    /** What a client has noted of it; absent when empty. */
    readonly other?: Readonly<Record<string, string>>;
  };
}

export const fromFeature = ({ citations = [], metadata, ...feature }: Feature): FeatureAnswer => ({
  set_id: feature.setId,
  category: feature.category,
  tag: feature.tag,
  feature_name: feature.name,
  value: feature.value,
  metadata: {
    id: feature.featureId,
    ...(citations.length > 0 && { citations }),
    ...(Object.keys(metadata).length > 0 && { other: metadata }),
  },
});

interface StateAnswer {
  readonly category: string;
  readonly tag: string;
  readonly feature_name: string;
  readonly value: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly citations: readonly string[];
}

/** One thing that happened to a feature. */
export interface ChangeAnswer {
  readonly change_id: string;
  readonly action: string;
  readonly origin: string;
  readonly job_id: string | null;
  readonly model: string | null;
  readonly episodes: readonly string[];
  readonly at: string;
  /** Null when there was no such feature before. */
  readonly before: StateAnswer | null;
  /** Null when there was no such feature afterwards. */
  readonly after: StateAnswer | null;
}

export const fromChange = (change: FeatureChangeRecord): ChangeAnswer => ({
  change_id: change.changeId,
  action: change.action,
  origin: change.origin,
  job_id: change.jobId ?? null,
  model: change.model ?? null,
  episodes: change.episodes,
  at: wireInstant(change.at),
  before: change.before ? fromState(change.before) : null,
  after: change.after ? fromState(change.after) : null,
});

const fromState = ({ category, tag, name, value, metadata, citations }: FeatureState): StateAnswer => ({
  ...{ category, tag, feature_name: name, value, metadata, citations },
});
