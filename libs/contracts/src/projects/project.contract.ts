import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Min,
  ValidateNested,
} from 'class-validator';
import { IdempotencyToken } from '../idempotency.js';
import { event } from '../message.js';
import { operation } from '../operation.js';
import { Tenant } from '../tenant.js';

/** The models that a project chose; an empty name stands for the default of the deployment, whatever that is now. */
export class ProjectModels {
  @IsString()
  readonly embedder!: string;

  @IsString()
  readonly reranker!: string;

  /** Grows with every change of the choice: an older one never replaces a newer one. */
  @IsInt()
  @Min(0)
  readonly revision!: number;
}

/** What a project works with, every name resolved to the one in force. */
export class ProjectConfig {
  @IsIn(['declarative', 'event'])
  readonly backend!: 'declarative' | 'event';

  @IsString()
  readonly embedder!: string;

  @IsString()
  readonly reranker!: string;

  @IsString()
  readonly vectorGraphStore!: string;

  @IsString()
  readonly vectorStore!: string;

  @IsString()
  readonly segmentStore!: string;

  @IsObject()
  readonly propertiesSchema!: Readonly<Record<string, string>>;
}

export class Project {
  /** Identity of this incarnation: a project deleted and created again under its old name has another. */
  @IsUUID()
  readonly projectUid!: string;

  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsString()
  readonly description!: string;

  @ValidateNested()
  @Type(() => ProjectConfig)
  readonly config!: ProjectConfig;

  @ValidateNested()
  @Type(() => ProjectModels)
  readonly models!: ProjectModels;

  /** False while the deployment has no episodic memory: nothing of the configuration is in force then. */
  @IsOptional()
  @IsBoolean()
  readonly isEpisodicEnabled?: boolean | undefined;
}

/** What a client asked for; an empty string stands for the default of the deployment. */
export class RequestedProjectConfig {
  @IsOptional()
  @IsIn(['declarative', 'event'])
  readonly backend?: 'declarative' | 'event' | undefined;

  @IsString()
  readonly embedder!: string;

  @IsString()
  readonly reranker!: string;

  @IsString()
  readonly vectorGraphStore!: string;

  @IsString()
  readonly vectorStore!: string;

  @IsString()
  readonly segmentStore!: string;

  @IsObject()
  readonly propertiesSchema!: Readonly<Record<string, string>>;
}

export class CreateProjectRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsString()
  readonly description!: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => RequestedProjectConfig)
  readonly config?: RequestedProjectConfig | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class ProjectRequest {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;
}

export class EnsureProjectRequest extends ProjectRequest {
  /** Whether one that is missing stays so. Default false. */
  @IsOptional()
  @IsBoolean()
  readonly mustExist?: boolean;
}

export class DeleteProjectRequest extends ProjectRequest {
  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class ListProjectsRequest {
  /** Only the projects of this organization; all of the deployment when absent. */
  @IsOptional()
  @IsString()
  readonly orgId?: string | undefined;

  /** Only the one of this name. */
  @IsOptional()
  @IsString()
  readonly projectId?: string | undefined;
}

/** Errors: `body_too_large`. */
export class ProjectList {
  @ValidateNested({ each: true })
  @Type(() => Tenant)
  readonly projects!: readonly Tenant[];
}

export class ProjectIdentity {
  @IsUUID()
  readonly projectUid!: string;

  @ValidateNested()
  @Type(() => ProjectModels)
  readonly models!: ProjectModels;
}

export class ConfigureProjectRequest extends ProjectRequest {
  /** Absent: unchanged. Empty: the default of the deployment. */
  @IsOptional()
  @IsString()
  readonly embedder?: string | undefined;

  /** As `embedder`. */
  @IsOptional()
  @IsString()
  readonly reranker?: string | undefined;

  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class Done {}

/** A project and its identity, as events name them. */
export class ProjectReference {
  @ValidateNested()
  @Type(() => Tenant)
  readonly tenant!: Tenant;

  @IsUUID()
  readonly projectUid!: string;
}

/** A project and the models that it chose. */
export class ConfiguredProject extends ProjectReference {
  @ValidateNested()
  @Type(() => ProjectModels)
  readonly models!: ProjectModels;
}

/** Errors: `project_exists`, `project_being_deleted` for its predecessor, `name_confusable`, `unknown_resource`. */
export const createProject = operation('config', 'project.create', {
  request: CreateProjectRequest,
  response: Project,
});

/** Errors: `project_not_found` (also once deletion was requested). */
export const getProject = operation('config', 'project.get', { request: ProjectRequest, response: Project });

/**
 * Changes the models of a project and tells the services that work with them. Errors: `project_not_found`, `producer_not_allowed` for a key that is bound to a producer,
 * `unknown_resource`; `service_unavailable` when a service could not be told (the change stands; it will hear of it).
 */
export const configureProject = operation('config', 'project.configure', {
  request: ConfigureProjectRequest,
  response: Project,
});

export const listProjects = operation('config', 'project.list', {
  request: ListProjectsRequest,
  response: ProjectList,
});

/**
 * The project, for a caller that is about to write to it: made with the defaults if it is missing and may be made. Errors:
 * `project_being_deleted`, `name_confusable`, `project_not_found`.
 */
export const ensureProject = operation('config', 'project.ensure', {
  request: EnsureProjectRequest,
  response: ProjectIdentity,
});

/**
 * Marks the project deleted and closes it in every service that has data of it; erasure follows in the background.
 * Errors: `project_not_found`; `service_unavailable` when a service could not be told (the deletion stands; ask again).
 */
export const deleteProject = operation('config', 'project.delete', {
  request: DeleteProjectRequest,
  response: Done,
});

/** A project was deleted: each service with data of it erases them and answers with its own `projects.erased`. */
export const projectsDeleted = event('config', 'projects.deleted', ProjectReference);

/** A project chose other models. */
export const projectsConfigured = event('config', 'projects.configured', ConfiguredProject);
