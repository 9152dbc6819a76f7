import {
  type AddResourceRequest,
  type IdempotencyToken,
  RESOURCE_NAME_MAX_LENGTH,
  type ResourceDetails,
  type ResourceKind,
  type ResourceOutcome,
  type ResourceStatus,
  type ResourceSummary,
} from '@loci/contracts';
import { wireInstant } from '../wire/instant.wire.js';
import { storableObject, type JsonObject } from '../wire/reading/collections.js';
import { Wire } from '../wire/reading/shapes.js';
import { filledText, text } from '../wire/reading/text.js';

/** The kinds of resources by their names in paths and answers. */
export const KINDS = {
  embedders: 'embedder',
  language_models: 'language_model',
  rerankers: 'reranker',
} as const satisfies Readonly<Record<string, ResourceKind>>;

export class AddResourceBody {
  @Wire(filledText(RESOURCE_NAME_MAX_LENGTH))
  readonly name!: string;

  @Wire(text('MAX_LABEL_CHARS'))
  readonly provider!: string;

  @Wire(storableObject)
  readonly config!: JsonObject;
}

export const toAddResource = (
  kind: ResourceKind,
  { name, provider, config }: AddResourceBody,
  idempotency: IdempotencyToken | undefined,
): AddResourceRequest => ({ kind, name, provider, config, idempotency });

export interface OutcomeAnswer {
  readonly success: boolean;
  readonly status: ResourceStatus;
  readonly error: string | null;
}

/** A failed initialization is no failed request (api-contract §0 row 4). */
export const fromOutcome = ({ status, error }: ResourceOutcome): OutcomeAnswer => ({
  success: status !== 'failed',
  status,
  error: error ?? null,
});

export interface ResourceAnswer {
  readonly name: string;
  readonly provider: string;
  readonly status: ResourceStatus;
  readonly error: string | null;
}

export const fromResource = ({ name, provider, status, error }: ResourceSummary): ResourceAnswer => ({
  name,
  provider,
  status,
  error: error ?? null,
});

export const fromResourceDetails = (details: ResourceDetails): object => ({
  ...fromResource(details),
  config: details.config,
  built_in: details.isBuiltIn,
  used_by: details.users,
  transitions: details.transitions.map(({ at, from, to, reason }) => ({
    at: wireInstant(at),
    from: from ?? null,
    to,
    reason,
  })),
});

export type ResourcesAnswer = Readonly<Record<keyof typeof KINDS | 'databases', readonly ResourceAnswer[]>>;

export function fromResources(
  resources: readonly ResourceSummary[],
  databases: readonly ResourceAnswer[],
): ResourcesAnswer {
  const of = (kind: ResourceKind): ResourceAnswer[] =>
    resources.filter((resource) => resource.kind === kind).map(fromResource);
  return {
    embedders: of('embedder'),
    language_models: of('language_model'),
    rerankers: of('reranker'),
    databases,
  };
}
