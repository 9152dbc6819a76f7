import {
  AppError,
  createProject,
  getProject,
  type IdempotencyToken,
  type Tenant,
  unavailable,
  updateEpisodicSettings,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type Caller } from '../access/caller.js';
import { toCreateProject } from '../projects/project.wire.js';
import { keyOfPart, tokenFor } from '../wire/idempotency.decorator.js';
import { canonicalJson } from '../wire/json/canonical-json.js';
import { type ProjectLine } from './transfer-lines.wire.js';

interface Importing {
  readonly tenant: Tenant;
  readonly caller: Caller;
}

/** Makes projects as the first line of an import says. */
@Injectable()
export class ImportedProjects {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * Makes a project as it was; one that is there already stays as it is. An import that failed behind the first step makes
   * the second when it is repeated. Settings are not for a key of one producer to choose: it leaves them out.
   */
  async make({ tenant, caller }: Importing, line: ProjectLine): Promise<void> {
    const projectUid = await this.made(tenant, line);
    if (projectUid === undefined || !line.episodic_memory || caller.producer !== undefined) return;
    const { enabled, long_term_memory_enabled, short_term_memory_enabled, ttl_seconds } =
      line.episodic_memory;
    const settings = {
      tenant,
      enabled,
      longTermEnabled: long_term_memory_enabled,
      shortTermEnabled: short_term_memory_enabled,
      ttlSeconds: ttl_seconds,
    };
    const idempotency = tokenOf(line, projectUid);
    await orLater(this.rpc.call(updateEpisodicSettings, { ...settings, idempotency }));
  }

  /** @returns which project this import made, now or in an earlier attempt; undefined when it was there before */
  private async made(tenant: Tenant, line: ProjectLine): Promise<string | undefined> {
    let former = '';
    for (;;) {
      const uid = await this.create(tenant, line, former);
      if (uid === undefined || uid === (await this.uidOf(tenant))) return uid;
      // the answer was remembered, and that project is deleted since
      former = uid;
    }
  }

  /** One whose models are not configured here gets the defaults. */
  private async create(tenant: Tenant, line: ProjectLine, former: string): Promise<string | undefined> {
    const { description, config } = line;
    const names = { org_id: tenant.orgId, project_id: tenant.projectId, description };
    const idempotency = tokenOf(line, former);
    const attempt = (wanted: ProjectLine['config']) =>
      orLater(this.rpc.call(createProject, toCreateProject({ ...names, config: wanted }, idempotency)));
    try {
      const { projectUid } = await attempt(config).catch((error: unknown) => {
        if (codeOf(error) === 'unknown_resource') return attempt(undefined);
        throw error;
      });
      return projectUid;
    } catch (error) {
      if (codeOf(error) === 'project_exists') return undefined;
      throw error;
    }
  }

  private async uidOf(tenant: Tenant): Promise<string | undefined> {
    try {
      return (await this.rpc.call(getProject, { tenant })).projectUid;
    } catch (error) {
      if (codeOf(error) === 'project_not_found') return undefined;
      throw error;
    }
  }
}

/** The same whenever these lines are imported into this project, or into what follows the former one. */
const tokenOf = (line: ProjectLine, project: string): IdempotencyToken =>
  tokenFor(keyOfPart(canonicalJson([line, project]), 'import'), [line, project]);

/** Another import of the same line, which is at it: it is known in a moment what became of it. */
const orLater = <Answer>(step: Promise<Answer>): Promise<Answer> =>
  step.catch((error: unknown) => {
    if (codeOf(error) !== 'idempotency_key_in_flight') throw error;
    const message = 'Another import makes this project at the moment; try again.';
    throw unavailable('service_unavailable', message, { retryAfterSeconds: 1 }, error);
  });

const codeOf = (error: unknown): string | undefined => (error instanceof AppError ? error.code : undefined);
