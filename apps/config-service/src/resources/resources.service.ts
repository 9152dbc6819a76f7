import {
  addResource,
  type AddResourceRequest,
  conflict,
  invalid,
  MAX_ANSWER_BYTES,
  modelResumed,
  removeResource,
  type RemoveResourceRequest,
  type ResourceDetails,
  resourceNotFound,
  type ResourceOutcome,
  type ResourceReport,
  resourceTitle,
  tooLarge,
} from '@loci/contracts';
import { Signals } from '@loci/messaging';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { unknownKeysOf } from '@loci/models';
import { partsOf } from '@loci/registry';
import { Inject, Injectable } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { refuseManyRuns } from './reranker-runs.js';
import { containsItself, type Resource, type ResourceDefinition, type ResourceId } from './resource.js';
import { ResourceConfigs } from './resource-configs.js';
import { ResourceLookup } from './resource-lookup.js';
import { ResourceProbes } from './resource-probes.js';
import { AllResourceUsers } from './resource-users.js';
import { ResourcesRepository } from './resources.repository.js';

const HISTORY_LENGTH = 100;
const MAX_USERS_NAMED = 20;

/** Services are told of all resources by one answer, half of which is left to how JSON writes them. */
const MOST_BYTES = MAX_ANSWER_BYTES / 2;

/** Resources belong to the deployment, not to a tenant. */
const DEPLOYMENT = '';

@Injectable()
export class ResourcesService {
  constructor(
    private readonly resources: ResourcesRepository,
    private readonly configs: ResourceConfigs,
    private readonly lookup: ResourceLookup,
    private readonly users: AllResourceUsers,
    private readonly probes: ResourceProbes,
    private readonly revisions: RegistryRevisions,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
    @Inject(Signals) private readonly signals: Pick<Signals, 'tell'>,
    private readonly env: ConfigServiceEnv,
  ) {}

  /**
   * Stores a resource or replaces the one of this name, and waits a while for its probe.
   * @throws AppError `producer_not_allowed`, `invalid_request`, `unknown_resource`, `resource_built_in`, `body_too_large`
   */
  async add(request: AddResourceRequest): Promise<ResourceOutcome> {
    requireUnbound('choose the models of the deployment');
    const { kind, name, provider, config, mayBeDefault = true, idempotency } = request;
    const definition = this.configs.accept({ kind, name, provider, config });
    const scope = { tenant: DEPLOYMENT, operation: addResource.subject };
    await this.idempotency.run(scope, idempotency, async (tx) => {
      await this.revisions.lock(tx);
      await this.put(definition, tx, { mayBeDefault });
    });
    this.outbox.wake();
    this.probes.wake();
    const unknownKeys = unknownKeysOf(kind, definition.provider, config);
    return { ...(await this.outcome({ kind, name })), ...(unknownKeys.length > 0 && { unknownKeys }) };
  }

  /**
   * Stores a checked definition as part of a change of the registry.
   * @throws AppError `unknown_resource`, `invalid_request`, `resource_built_in`, `body_too_large`
   */
  async put(
    definition: ResourceDefinition,
    tx: Transaction,
    { mayBeDefault }: { readonly mayBeDefault: boolean } = { mayBeDefault: false },
  ): Promise<void> {
    const former = await this.resources.find(definition, tx);
    if (former?.isBuiltIn) throw builtIn(former, 'replaced; choose another name');
    await this.refuseBadParts(definition, tx);
    const revision = await this.revisions.advance(tx);
    const before = await this.resources.size(tx);
    await this.resources.put(definition, { revision, mayBeDefault }, tx);
    refuseGrowth(before, await this.resources.size(tx));
    const reason = former ? `Replaced; its provider was ${former.provider}.` : 'Added.';
    await this.resources.record(definition, { from: former?.status, to: 'pending', reason }, tx);
  }

  /** @throws AppError `producer_not_allowed`, `resource_not_found`, `resource_in_use`, `resource_built_in` */
  async remove({ kind, name, force, idempotency }: RemoveResourceRequest): Promise<void> {
    requireUnbound('choose the models of the deployment');
    const scope = { tenant: DEPLOYMENT, operation: removeResource.subject };
    await this.idempotency.run(scope, idempotency, async (tx) => {
      await this.revisions.lock(tx);
      await this.resources.lock({ kind, name }, tx);
      const resource = await this.resources.find({ kind, name }, tx);
      if (!resource) throw resourceNotFound(kind, name);
      if (resource.isBuiltIn) throw builtIn(resource, 'removed');
      const users = await this.users.usersOf(resource, tx);
      if (users.length > 0 && !force) throw inUse(resource, users);
      await this.revisions.advance(tx);
      await this.resources.remove(resource, tx);
      const reason = users.length > 0 ? `Removed by force; used by ${listed(users)}.` : 'Removed.';
      await this.resources.record(resource, { from: resource.status, to: 'removed', reason }, tx);
    });
    this.outbox.wake();
  }

  /**
   * Probes a failed resource now, and ends the pause of any in all processes: its provider may take requests again before the time
   * that it named.
   * @throws AppError `producer_not_allowed`, `resource_not_found`
   */
  async retry(id: ResourceId): Promise<ResourceOutcome> {
    requireUnbound('have a model asked again');
    await this.revisions.change(async (tx) => {
      const resource = await this.resources.find(id, tx);
      if (resource?.status !== 'failed') return;
      await this.revisions.advance(tx);
      await this.resources.probeAgain(resource, tx);
      await this.resources.record(
        resource,
        { from: 'failed', to: 'pending', reason: 'A retry was asked for.' },
        tx,
      );
    });
    this.probes.wake();
    const outcome = await this.outcome(id);
    this.signals.tell(modelResumed, { kind: id.kind, name: id.name });
    return outcome;
  }

  /** Notes that a ready resource keeps failing in real use; a report about a former one is ignored. */
  async report({ kind, name, revision, reason }: ResourceReport): Promise<void> {
    await this.revisions.change(async (tx) => {
      const resource = await this.resources.find({ kind, name }, tx);
      if (resource?.status !== 'ready' || resource.revision !== revision) return;
      await this.revisions.advance(tx);
      const failure = { reason, failures: 1, retryInMs: this.env.MODEL_PROBE_RETRY_MIN_MS };
      await this.resources.fail(resource, failure, tx);
      this.probes.dueIn(failure.retryInMs);
      await this.resources.record(resource, { from: 'ready', to: 'failed', reason }, tx);
    });
  }

  list(tx?: Transaction): Promise<Resource[]> {
    return this.resources.list(tx);
  }

  /** @throws AppError `resource_not_found` */
  async get(id: ResourceId): Promise<ResourceDetails> {
    const resource = await this.resources.find(id);
    if (!resource) throw resourceNotFound(id.kind, id.name);
    const { kind, name, provider, status, error, revision, isBuiltIn } = resource;
    const uses = await this.users.usesOf(resource);
    return {
      kind,
      name,
      provider,
      status,
      error,
      revision,
      isBuiltIn,
      config: this.configs.shown(resource),
      users: uses.map(({ text }) => text),
      uses,
      transitions: await this.resources.history(resource, HISTORY_LENGTH),
    };
  }

  /** What its probe says, and what uses it. @throws AppError `resource_not_found` */
  private async outcome(id: ResourceId): Promise<ResourceOutcome> {
    const outcome = await this.probes.outcome(id);
    const users = await this.users.usersOf(id);
    return { ...outcome, ...(users.length > 0 && { users: users.slice(0, MAX_USERS_NAMED) }) };
  }

  private async refuseBadParts(definition: ResourceDefinition, tx: Transaction): Promise<void> {
    const parts = partsOf(definition);
    if (parts.length === 0) return;
    const named = parts.map(({ loc, ...id }) => ({ ...id, loc: ['body', 'config', ...loc] }));
    const all = await this.resources.list(tx);
    if (containsItself(definition, all)) {
      const msg = `${resourceTitle(definition.kind, definition.name)} would be a part of itself; name others.`;
      throw invalid('invalid_request', [{ loc: ['body', 'config'], msg, type: 'recursion_loop' }]);
    }
    refuseManyRuns(definition, all);
    await this.lookup.protect(named, tx);
  }
}

function refuseGrowth(before: number, after: number): void {
  if (after <= MOST_BYTES || after <= before) return;
  throw tooLarge(
    'body_too_large',
    `The models of this deployment would have ${after} bytes together, more than ${MOST_BYTES}; remove those that are not needed, or leave out of the configuration what the provider does not know.`,
  );
}

const builtIn = ({ kind, name }: ResourceId, what: string): Error =>
  conflict('resource_built_in', `${resourceTitle(kind, name)} is built in and cannot be ${what}.`);

const inUse = ({ kind, name }: ResourceId, users: readonly string[]): Error =>
  conflict(
    'resource_in_use',
    `${resourceTitle(kind, name)} is used by ${listed(users)}: let them use another one first (PUT /api/v2/config/memory for the memory configuration), or force its removal with ?force=true.`,
    { fields: { used_by: users.slice(0, MAX_USERS_NAMED), used_by_count: users.length } },
  );

/** `a, b and 3 more` */
function listed(users: readonly string[]): string {
  const named = users.slice(0, MAX_USERS_NAMED).join(', ');
  const more = users.length - MAX_USERS_NAMED;
  return more > 0 ? `${named} and ${more} more` : named;
}
