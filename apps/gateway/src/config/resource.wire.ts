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
  type ResourceUse,
} from '@loci/contracts';
import { boolean, byDefault, described, filledText, nullAsAbsent, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { ignoredFieldsPart, pathPart } from '../wire/ignored-fields.js';
import { instantText, nullable } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { storableObject } from '../wire/schema/objects.js';
import { request } from '../wire/schema/request.js';
import { EXAMPLE_INSTANT } from '../wire/examples.js';

/** The kinds of resources by their names in paths and answers. */
export const KINDS = {
  embedders: 'embedder',
  language_models: 'language_model',
  rerankers: 'reranker',
} as const satisfies Readonly<Record<string, ResourceKind>>;

/** The name of a kind in paths and answers. */
export const segmentOf = (kind: ResourceKind): string =>
  Object.entries(KINDS).find(([, one]) => one === kind)?.[0] ?? '';

export class AddResourceBody extends request('AddResourceSpec', {
  name: described(
    filledText(RESOURCE_NAME_MAX_LENGTH),
    'Name by which configuration and sets refer to it. One that is taken is replaced.',
    'gpt',
  ),
  provider: described(
    text('MAX_LABEL_CHARS'),
    'The service, or the built-in code, that runs it, such as `openai-responses`, `openai-chat-completions` or `amazon-bedrock`.',
    'openai-responses',
  ),
  config: described(
    storableObject,
    'Settings of the provider. A credential may be a reference to a variable of the environment, `$NAME`.',
    { model: 'gpt-5-mini', api_key: '$LOCI_MODEL_SECRET_OPENAI' },
  ),
  may_be_default: described(
    byDefault(nullAsAbsent(boolean), true),
    'Whether memory learns and summarizes with this language model as soon as it is ready, unless the memory configuration says which one does, or none. Embedders and rerankers are always chosen there.',
  ),
}) {}

export const toAddResource = (
  kind: ResourceKind,
  { name, provider, config, may_be_default: mayBeDefault }: AddResourceBody,
  idempotency: IdempotencyToken | undefined,
): AddResourceRequest => ({ kind, name, provider, config, mayBeDefault, idempotency });

const status = Type.Enum([...RESOURCE_STATUSES]);
const error = nullable(Type.String({ description: 'Why it failed, for a person to act on.' }));

export const outcomeAnswer = Type.Object(
  {
    success: Type.Boolean({ description: 'False when it failed.' }),
    status: described(
      status,
      '`pending`: its probe is under way; `ready`: it can be used; `failed`: it cannot, as `error` says.',
    ),
    error: described(error, 'Why it failed, for a person to act on; null when it has not.'),
    used_by: Type.Optional(
      described(
        Type.Array(Type.String()),
        'What uses it now, for people: the first language model that is ready is the one of the memory configuration. Absent when nothing does.',
        ['the memory configuration (semantic_memory.llm_model)'],
      ),
    ),
    ...ignoredFieldsPart,
  },
  { title: 'ResourceOutcome' },
);
export type OutcomeAnswer = Static<typeof outcomeAnswer>;

/** A failed initialization is no failed request (api-contract §0 row 4). */
export const fromOutcome = ({ status, error, users, unknownKeys }: ResourceOutcome): OutcomeAnswer => ({
  success: status !== 'failed',
  status,
  error: error ?? null,
  ...(users && { used_by: [...users] }),
  ...(unknownKeys && { ignored_fields: unknownKeys.map((key) => `config.${pathPart(key)}`) }),
});

const RESOURCE = {
  name: described(Type.String(), 'Name by which configuration and sets refer to it.', 'gpt'),
  provider: described(Type.String(), 'The service, or the built-in code, that runs it.', 'openai-responses'),
  status: described(
    status,
    '`pending`: its probe is under way; `ready`: it can be used; `failed`: it cannot, as `error` says.',
  ),
  error: described(error, 'Why it failed, for a person to act on; null when it has not.'),
};

const resourceAnswer = Type.Object(RESOURCE, { title: 'Resource' });
export type ResourceAnswer = Static<typeof resourceAnswer>;

export const fromResource = ({ name, provider, status, error }: ResourceSummary): ResourceAnswer => ({
  name,
  provider,
  status,
  error: error ?? null,
});

const useAnswer = Type.Object({
  text: described(Type.String(), 'As `used_by` says it.', 'project acme/travel-agent (embedder)'),
  setting: Type.Optional(
    described(
      Type.String(),
      'The setting of the memory configuration that names it. Absent = something else does.',
      'semantic_memory.llm_model',
    ),
  ),
  project: Type.Optional(
    described(
      Type.Object({
        org_id: described(Type.String(), 'Its organization.', 'acme'),
        project_id: described(Type.String(), 'Its name in the organization.', 'travel-agent'),
      }),
      'The project whose settings name it. Absent = something else does.',
    ),
  ),
  resource: Type.Optional(
    described(
      Type.Object({
        kind: described(Type.Enum(Object.keys(KINDS)), 'As in the path of its address.', 'rerankers'),
        name: described(Type.String(), 'Its name.', 'hybrid'),
      }),
      'The model that is made of it. Absent = something else uses it.',
    ),
  ),
});

export const resourceDetailsAnswer = Type.Object(
  {
    ...RESOURCE,
    config: Type.Object({}, { additionalProperties: true, description: 'Secrets are hidden.' }),
    built_in: described(Type.Boolean(), 'Whether it came with Loci; then it cannot be replaced or removed.'),
    used_by: described(Type.Array(Type.String()), 'What would miss it, for people: the first that use it.', [
      'project acme/travel-agent (embedder)',
    ]),
    uses: Type.Optional(
      described(Type.Array(useAnswer), 'The same, for programs. Absent = an older version answered.'),
    ),
    transitions: described(
      Type.Array(
        Type.Object({
          at: described(instantText, 'When it changed, in UTC.', EXAMPLE_INSTANT),
          from: described(
            nullable(Type.Enum([...RESOURCE_STATES])),
            'The state before; null for the first one.',
          ),
          to: described(Type.Enum([...RESOURCE_STATES]), 'The state since then.'),
          reason: described(Type.String(), 'Why it changed, in one sentence.'),
        }),
      ),
      'How its state changed, newest first.',
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
  ...(details.uses && { uses: details.uses.map(fromUse) }),
  transitions: details.transitions.map(({ at, from, to, reason }) => ({
    at: wireInstant(at),
    from: from ?? null,
    to,
    reason,
  })),
});

const fromUse = ({ text, setting, tenant, resource }: ResourceUse): Static<typeof useAnswer> => ({
  text,
  ...(setting !== undefined && { setting }),
  ...(tenant && { project: { org_id: tenant.orgId, project_id: tenant.projectId } }),
  ...(resource && { resource: { kind: segmentOf(resource.kind), name: resource.name } }),
});

export const resourcesAnswer = Type.Object(
  {
    embedders: described(Type.Array(resourceAnswer), 'Models that turn text into vectors.'),
    language_models: described(Type.Array(resourceAnswer), 'Models that answer prompts.'),
    rerankers: described(Type.Array(resourceAnswer), 'Models that sort hits.'),
    databases: described(Type.Array(resourceAnswer), 'Where memory is stored.'),
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
