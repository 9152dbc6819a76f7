import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  createProject,
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

/** An import asks so often, with such a pause, while another one makes the same project. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

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
    const projectUid = await this.create(tenant, line);
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
    await whenFree(() => this.rpc.call(updateEpisodicSettings, { ...settings, idempotency }));
  }

  /**
   * One whose models are not configured here gets the defaults.
   * @returns which project this import made, now or in an earlier attempt; undefined when it was there before
   */
  private async create(tenant: Tenant, line: ProjectLine): Promise<string | undefined> {
    const { description, config } = line;
    const names = { org_id: tenant.orgId, project_id: tenant.projectId, description };
    const idempotency = tokenOf(line);
    const attempt = (wanted: ProjectLine['config']) =>
      whenFree(() =>
        this.rpc.call(createProject, toCreateProject({ ...names, config: wanted }, idempotency)),
      );
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
}

/** The same whenever this line is imported into this project; absent: while there is none, or one that is not known. */
const tokenOf = (line: ProjectLine, projectUid = ''): IdempotencyToken =>
  tokenFor(keyOfPart(canonicalJson([line, projectUid]), 'import'), [line, projectUid]);

/** Another import of the same line may be at a step: it is known in a moment what became of it. */
async function whenFree<Answer>(step: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (codeOf(error) !== 'idempotency_key_in_flight') throw error;
      if (attempt === ATTEMPTS) throw takenByAnother(error);
      await sleep(PAUSE_MS);
    }
  }
}

const takenByAnother = (cause: unknown): Error => {
  const message = 'Another import makes this project at the moment; try again.';
  return unavailable('service_unavailable', message, { retryAfterSeconds: 1 }, cause);
};

const codeOf = (error: unknown): string | undefined => (error instanceof AppError ? error.code : undefined);
