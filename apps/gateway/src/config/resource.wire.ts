import {
  type AddResourceRequest,
  type IdempotencyToken,
  RESOURCE_NAME_MAX_LENGTH,
  RESOURCE_STATES,
  RESOURCE_STATUSES,
  type ResourceDetails,
  type ResourceKind,
  type ResourceOutcome,
  type ResourceSummary,
} from '@loci/contracts';
import { filledText, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { storableObject } from '../wire/schema/objects.js';
import { request } from '../wire/schema/request.js';

/** The kinds of resources by their names in paths and answers. */
export const KINDS = {
  embedders: 'embedder',
  language_models: 'language_model',
  rerankers: 'reranker',
} as const satisfies Readonly<Record<string, ResourceKind>>;

export class AddResourceBody extends request('AddResourceSpec', {
  name: filledText(RESOURCE_NAME_MAX_LENGTH),
  provider: text('MAX_LABEL_CHARS'),
  config: storableObject,
}) {}

export const toAddResource = (
  kind: ResourceKind,
  { name, provider, config }: AddResourceBody,
  idempotency: IdempotencyToken | undefined,
): AddResourceRequest => ({ kind, name, provider, config, idempotency });

const status = Type.Enum([...RESOURCE_STATUSES]);
const error = nullable(Type.String({ description: 'Why it failed, for a person to act on.' }));

export const outcomeAnswer = Type.Object(
  { success: Type.Boolean({ description: 'False when it failed.' }), status, error },
  { title: 'ResourceOutcome' },
);
export type OutcomeAnswer = Static<typeof outcomeAnswer>;

/** A failed initialization is no failed request (api-contract §0 row 4). */
export const fromOutcome = ({ status, error }: ResourceOutcome): OutcomeAnswer => ({
  success: status !== 'failed',
  status,
  error: error ?? null,
});

const RESOURCE = { name: Type.String(), provider: Type.String(), status, error };

const resourceAnswer = Type.Object(RESOURCE, { title: 'Resource' });
export type ResourceAnswer = Static<typeof resourceAnswer>;

export const fromResource = ({ name, provider, status, error }: ResourceSummary): ResourceAnswer => ({
  name,
  provider,
  status,
  error: error ?? null,
});

export const resourceDetailsAnswer = Type.Object(
  {
    ...RESOURCE,
    config: Type.Object({}, { additionalProperties: true, description: 'Secrets are hidden.' }),
    built_in: Type.Boolean(),
    used_by: Type.Array(Type.String()),
    transitions: Type.Array(
      Type.Object({
        at: instantText,
        from: nullable(Type.Enum([...RESOURCE_STATES])),
        to: Type.Enum([...RESOURCE_STATES]),
        reason: Type.String(),
      }),
    ),
  },
  { title: 'ResourceDetails' },
);
export type ResourceDetailsAnswer = Static<typeof resourceDetailsAnswer>;

export const fromResourceDetails = (details: ResourceDetails): ResourceDetailsAnswer => ({
  ...fromResource(details),
  config: details.config,
  built_in: details.isBuiltIn,
  used_by: [...details.users],
  transitions: details.transitions.map(({ at, from, to, reason }) => ({
    at: wireInstant(at),
    from: from ?? null,
    to,
    reason,
  })),
});

export const resourcesAnswer = Type.Object(
  {
    embedders: Type.Array(resourceAnswer),
    language_models: Type.Array(resourceAnswer),
    rerankers: Type.Array(resourceAnswer),
    databases: Type.Array(resourceAnswer),
  },
  { title: 'Resources' },
);
export type ResourcesAnswer = Static<typeof resourcesAnswer>;

export function fromResources(
  resources: readonly ResourceSummary[],
  databases: ResourceAnswer[],
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
