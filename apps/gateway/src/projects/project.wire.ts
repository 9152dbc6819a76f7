import {
  type CreateProjectRequest,
  type IdempotencyToken,
  type Project,
  type ProjectConfig,
  type RequestedProjectConfig,
  type Tenant,
} from '@loci/contracts';
import { byDefault, mapOf, nullish, oneOf, optional, text, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { atLeast, textMap } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';

const BACKENDS = ['declarative', 'event'] as const;
const PROPERTY_TYPES = ['bool', 'int', 'float', 'str', 'datetime'] as const;
const TENANT = {
  org_id: described(Type.String(), 'Id of the organization.', 'acme'),
  project_id: described(Type.String(), 'Id of the project in it.', 'travel-agent'),
};
const name = text('MAX_LABEL_CHARS');

export class ProjectConfigBody extends request('ProjectConfigSpec', {
  backend: described(
    nullish(oneOf(BACKENDS)),
    'Kept for clients of MemMachine; it decides only which of the store names are shown. Absent or null = that of the deployment.',
  ),
  embedder: described(
    byDefault(name, ''),
    'Name of the registered embedder of episodes; empty = that of the deployment.',
    'local',
  ),
  reranker: described(
    byDefault(name, ''),
    'Name of the registered reranker of hits; empty = that of the deployment.',
    'identity',
  ),
  vector_graph_store: described(
    byDefault(name, ''),
    'Name of a graph store, kept for clients of MemMachine; it has no effect.',
  ),
  vector_store: described(
    byDefault(name, ''),
    'Name of a vector store, kept for clients of MemMachine; it has no effect.',
  ),
  segment_store: described(
    byDefault(name, ''),
    'Name of a segment store, kept for clients of MemMachine; it has no effect.',
  ),
  properties_schema: described(
    byDefault(mapOf(oneOf(PROPERTY_TYPES), { maxKeys: 'MAX_METADATA_KEYS', maxKeyChars: 128 }), {}),
    'Types by metadata key, kept for clients of MemMachine; they have no effect.',
    { channel: 'str' },
  ),
}) {}

export class CreateProjectBody extends request('CreateProjectSpec', {
  ...NamedProjectBody.schema.properties,
  description: described(
    byDefault(text('MAX_DESCRIPTION_CHARS'), ''),
    'What the project is for, for people.',
    'What our travel agent knows of its customers',
  ),
  config: described(
    optional(ProjectConfigBody.schema),
    'What the project uses instead of the defaults of the deployment. Absent = nothing.',
  ),
}) {}

/** Which models a project uses; null or absent = unchanged, empty = the default of the deployment. */
export class ConfigureProjectBody extends request('ConfigureProjectSpec', {
  ...NamedProjectBody.schema.properties,
  embedder: described(
    nullish(name),
    'Name of the registered embedder of episodes; empty = that of the deployment. Absent or null = unchanged.',
    'local',
  ),
  reranker: described(
    nullish(name),
    'Name of the registered reranker of hits; empty = that of the deployment. Absent or null = unchanged.',
    'identity',
  ),
}) {}

export const toCreateProject = (
  body: CreateProjectBody,
  idempotency: IdempotencyToken | undefined,
): CreateProjectRequest => ({
  tenant: tenantOf(body),
  description: body.description,
  config: body.config && toRequestedConfig(body.config),
  idempotency,
});

const toRequestedConfig = (config: ProjectConfigBody): RequestedProjectConfig => ({
  backend: config.backend,
  embedder: config.embedder,
  reranker: config.reranker,
  vectorGraphStore: config.vector_graph_store,
  vectorStore: config.vector_store,
  segmentStore: config.segment_store,
  propertiesSchema: config.properties_schema,
});

export const projectConfigAnswer = Type.Object(
  {
    backend: described(
      Type.Union([Type.Literal('declarative'), Type.Literal('event'), Type.Null()]),
      'Kept for clients of MemMachine: `event` or `declarative`; null while the deployment has no episodic memory.',
    ),
    embedder: described(Type.String(), 'Name of the embedder of episodes in force.', 'local'),
    reranker: described(Type.String(), 'Name of the reranker of hits in force; empty = none.', 'identity'),
    vector_graph_store: described(
      Type.String(),
      'Name of a graph store, kept for clients of MemMachine; empty with the backend `event`.',
      '',
    ),
    vector_store: described(
      Type.String(),
      'Name of a vector store, kept for clients of MemMachine; empty with the backend `declarative`.',
      'qdrant',
    ),
    segment_store: described(
      Type.String(),
      'Name of a segment store, kept for clients of MemMachine; empty with the backend `declarative`.',
      'postgres',
    ),
    properties_schema: described(textMap, 'Types by metadata key, kept for clients of MemMachine.', {
      channel: 'str',
    }),
  },
  {
    title: 'ProjectConfig',
    description:
      'Every name resolved to the one in force; `backend` null and no name while the deployment has no episodic memory.',
  },
);
export type ProjectConfigAnswer = Static<typeof projectConfigAnswer>;

export const projectAnswer = Type.Object(
  {
    ...TENANT,
    description: described(
      Type.String(),
      'What the project is for, as it was created.',
      'What our travel agent knows of its customers',
    ),
    config: described(projectConfigAnswer, 'What the project works with.'),
  },
  { title: 'ProjectResponse' },
);
export type ProjectAnswer = Static<typeof projectAnswer>;

export const projectListAnswer = Type.Array(Type.Object(TENANT, { title: 'ProjectName' }));
export type ProjectListAnswer = Static<typeof projectListAnswer>;

export const episodeCountAnswer = Type.Object(
  {
    count: described(
      Type.Integer({ minimum: 0 }),
      'Episodes that the project has; 0 when there is no such project.',
      1204,
    ),
    at_least: atLeast,
  },
  { title: 'EpisodeCountResponse' },
);
export type EpisodeCountAnswer = Static<typeof episodeCountAnswer>;

export const fromProject = (project: Project): ProjectAnswer => ({
  ...fromTenant(project.tenant),
  description: project.description,
  config: project.isEpisodicEnabled === false ? NOTHING_IN_FORCE : fromProjectConfig(project.config),
});

const NOTHING_IN_FORCE: ProjectConfigAnswer = {
  backend: null,
  embedder: '',
  reranker: '',
  vector_graph_store: '',
  vector_store: '',
  segment_store: '',
  properties_schema: {},
};

export const fromProjectConfig = (config: ProjectConfig): ProjectConfigAnswer => ({
  backend: config.backend,
  embedder: config.embedder,
  reranker: config.reranker,
  vector_graph_store: config.vectorGraphStore,
  vector_store: config.vectorStore,
  segment_store: config.segmentStore,
  properties_schema: config.propertiesSchema,
});

export const fromTenant = ({ orgId, projectId }: Tenant): { org_id: string; project_id: string } => ({
  org_id: orgId,
  project_id: projectId,
});
