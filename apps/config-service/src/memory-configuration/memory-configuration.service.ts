import { isDeepStrictEqual } from 'node:util';
import {
  type MemoryConfiguration,
  type MemoryConfigurationUpdate,
  type ResourceUse,
  updateMemoryConfiguration,
  type UpdateMemoryConfigurationRequest,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { type Resource, type ResourceId } from '../resources/resource.js';
import { ResourceLookup } from '../resources/resource-lookup.js';
import { ReadyResources } from '../resources/ready-resources.js';
import { AllResourceUsers, type ResourceUsers } from '../resources/resource-users.js';
import { isLanguageModelChosen, mergeChanges, resolveMemory } from './memory-configuration.js';
import { MemoryConfigurationRepository } from './memory-configuration.repository.js';
import { resourcesNamedIn } from './memory-fields.js';

/** The memory configuration belongs to the deployment, not to a tenant. */
const SCOPE = { tenant: '', operation: updateMemoryConfiguration.subject };

@Injectable()
export class MemoryConfigurationService implements ResourceUsers {
  constructor(
    private readonly repository: MemoryConfigurationRepository,
    private readonly lookup: ResourceLookup,
    private readonly revisions: RegistryRevisions,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
    users: AllResourceUsers,
    ready: ReadyResources,
  ) {
    users.register(this);
    ready.register((resource, tx) => this.chooseFirst(resource, tx));
  }

  async get(tx?: Transaction): Promise<MemoryConfiguration> {
    return resolveMemory(await this.repository.changes(tx));
  }

  /** @throws AppError `producer_not_allowed`, `unknown_resource` naming every model that is not registered */
  async update({ idempotency, ...update }: UpdateMemoryConfigurationRequest): Promise<MemoryConfiguration> {
    requireUnbound('decide how memory works');
    const memory = await this.idempotency.run(SCOPE, idempotency, async (tx) => {
      await this.revisions.lock(tx);
      await this.change(update, tx);
      return this.get(tx);
    });
    this.outbox.wake();
    return memory;
  }

  /** As part of a change of the registry. @throws AppError `unknown_resource` */
  async change(update: MemoryConfigurationUpdate, tx: Transaction): Promise<void> {
    await this.lookup.protect(resourcesNamedIn(update), tx);
    const former = mergeChanges(await this.repository.changes(tx), {});
    const changes = mergeChanges(former, update);
    if (isDeepStrictEqual(changes, former)) return;
    await this.repository.replace(changes, tx);
    await this.revisions.advance(tx);
  }

  /** The first language model that is ready is the one of memory, unless a client chose one, or none. */
  private async chooseFirst({ kind, name, mayBeDefault }: Resource, tx: Transaction): Promise<void> {
    if (kind !== 'language_model' || !mayBeDefault) return;
    if (isLanguageModelChosen(await this.repository.changes(tx))) return;
    await this.change({ episodic: { shortTerm: { llmModel: name } }, semantic: { llmModel: name } }, tx);
  }

  async usesOf(id: ResourceId, tx?: Transaction): Promise<ResourceUse[]> {
    return resourcesNamedIn(await this.get(tx))
      .filter(({ kind, name }) => kind === id.kind && name === id.name)
      .map(({ loc }) => loc.slice(1).join('.'))
      .map((setting) => ({ text: `the memory configuration (${setting})`, setting }));
  }
}
