import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { ResourceConfigs } from './resource-configs.js';
import { ResourcesRepository } from './resources.repository.js';

/**
 * Fails at the start what was stored when credentials could still name any variable of the environment. Its probe keeps
 * it failed until its credentials, or the setting, are corrected.
 */
@Injectable()
export class ForbiddenReferences implements OnApplicationBootstrap {
  constructor(
    private readonly env: ConfigServiceEnv,
    private readonly resources: ResourcesRepository,
    private readonly configs: ResourceConfigs,
    private readonly revisions: RegistryRevisions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.revisions.change(async (tx) => {
      for (const resource of await this.resources.list(tx)) {
        const [problem] = this.configs.forbiddenReferences(resource);
        if (!problem || resource.status === 'failed') continue;
        await this.revisions.advance(tx);
        const failure = { reason: problem.msg, failures: 1, retryInMs: this.env.MODEL_PROBE_RETRY_MIN_MS };
        await this.resources.fail(resource, failure, tx);
        await this.resources.record(
          resource,
          { from: resource.status, to: 'failed', reason: problem.msg },
          tx,
        );
      }
    });
  }
}
