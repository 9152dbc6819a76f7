import { type RegistrySnapshot } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { MemoryConfigurationService } from '../memory-configuration/memory-configuration.service.js';
import { ResourcesService } from '../resources/resources.service.js';
import { RegistryRevisions } from '../revisions/registry-revisions.js';

/** What other services are told of resources and memory. */
@Injectable()
export class RegistryService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly revisions: RegistryRevisions,
    private readonly resources: ResourcesService,
    private readonly memory: MemoryConfigurationService,
  ) {}

  /** Everything at one moment. */
  snapshot(): Promise<RegistrySnapshot> {
    return this.unitOfWork.run(
      async (tx) => {
        const revision = await this.revisions.current(tx);
        const resources = await this.resources.list(tx);
        return {
          revision,
          resources: resources.map(({ kind, name, provider, config, revision, status, error }) => ({
            kind,
            name,
            provider,
            config,
            revision,
            status,
            error,
          })),
          memory: await this.memory.get(tx),
        };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  revision(): Promise<number> {
    return this.revisions.current();
  }
}
