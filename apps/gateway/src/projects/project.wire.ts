import {
  type CreateProjectRequest,
  type IdempotencyToken,
  type Project,
  type ProjectConfig,
  type RequestedProjectConfig,
  type Tenant,
} from '@loci/contracts';
import { byDefault, mapOf, nullish, oneOf, optional, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { textMap } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';

const BACKENDS = ['declarative', 'event'] as const;
const PROPERTY_TYPES = ['bool', 'int', 'float', 'str', 'datetime'] as const;
const TENANT = { org_id: Type.String(), project_id: Type.String() };
const name = text('MAX_LABEL_CHARS');

export class ProjectConfigBody extends request('ProjectConfigSpec', {
  backend: nullish(oneOf(BACKENDS)),
  embedder: byDefault(name, ''),
  reranker: byDefault(name, ''),
  vector_graph_store: byDefault(name, ''),
  vector_store: byDefault(name, ''),
  segment_store: byDefault(name, ''),
  properties_schema: byDefault(
    mapOf(oneOf(PROPERTY_TYPES), { maxKeys: 'MAX_METADATA_KEYS', maxKeyChars: 128 }),
    {},
  ),
}) {}

export class CreateProjectBody extends request('CreateProjectSpec', {
  ...NamedProjectBody.schema.properties,
  description: byDefault(text('MAX_DESCRIPTION_CHARS'), ''),
  config: optional(ProjectConfigBody.schema),
}) {}

/** Which models a project uses; null or absent = unchanged, empty = the default of the deployment. */
export class ConfigureProjectBody extends request('ConfigureProjectSpec', {
  ...NamedProjectBody.schema.properties,
  embedder: nullish(name),
  reranker: nullish(name),
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
    backend: Type.Union([Type.Literal('declarative'), Type.Literal('event'), Type.Null()]),
    embedder: Type.String(),
    reranker: Type.String(),
    vector_graph_store: Type.String(),
    vector_store: Type.String(),
    segment_store: Type.String(),
    properties_schema: textMap,
  },
  {
    title: 'ProjectConfig',
    description:
      'Every name resolved to the one in force; `backend` null and no name while the deployment has no episodic memory.',
  },
);
export type ProjectConfigAnswer = Static<typeof projectConfigAnswer>;

export const projectAnswer = Type.Object(
  { ...TENANT, description: Type.String(), config: projectConfigAnswer },
  { title: 'ProjectResponse' },
);
export type ProjectAnswer = Static<typeof projectAnswer>;

export const projectListAnswer = Type.Array(Type.Object(TENANT, { title: 'ProjectName' }));
export type ProjectListAnswer = Static<typeof projectListAnswer>;

export const episodeCountAnswer = Type.Object(
  { count: Type.Integer({ minimum: 0 }) },
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
