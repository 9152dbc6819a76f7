import { Logger } from '@loci/platform';
import { type Transaction } from '@loci/persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { type Resource, type ResourceDefinition } from './resource.js';
import { ResourceConfigs } from './resource-configs.js';
import { ResourcesRepository } from './resources.repository.js';

/** Encrypts again at the start what was encrypted with a former key, so that this key can be given up. */
@Injectable()
export class SecretRotation implements OnApplicationBootstrap {
  constructor(
    private readonly resources: ResourcesRepository,
    private readonly configs: ResourceConfigs,
    private readonly revisions: RegistryRevisions,
    private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const count = await this.revisions.change((tx) => this.rotate(tx));
    if (count > 0) this.logger.info('secrets are encrypted with the current key', { resources: count });
  }

  private async rotate(tx: Transaction): Promise<number> {
    const outdated = (await this.resources.list(tx)).flatMap((resource) => this.renewed(resource) ?? []);
    for (const definition of outdated) await this.resources.reencrypt(definition, tx);
    if (outdated.length > 0) await this.revisions.advance(tx);
    return outdated.length;
  }

  private renewed(resource: Resource): ResourceDefinition | undefined {
    try {
      return this.configs.underCurrentKey(resource);
    } catch (error) {
      this.logger.warn('a secret cannot be read with the keys of LOCI_SECRET_KEYS', {
        resource: resource.name,
        error,
      });
      return undefined;
    }
  }
}
