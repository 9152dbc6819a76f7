import {
  configNotificationsRaised,
  instantFromDate,
  notification,
  resourceNotFound,
  type ResourceTransition,
} from '@loci/contracts';
import { entityManager, execute, outboxInsertSql, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { CLAIM_PROBE } from './claim-probe.sql.js';
import { END_UNFINISHED_PROBES } from './end-unfinished-probes.sql.js';
import { DUE_RESOURCES } from './due-resources.sql.js';
import { FAIL_RESOURCE } from './fail-resource.sql.js';
import { PUT_RESOURCE } from './put-resource.sql.js';
import { REENCRYPT_RESOURCE } from './reencrypt-resource.sql.js';
import { RELEASE_PROBE } from './release-probe.sql.js';
import { toResource } from './resource-rows.js';
import { SIZE_OF_RESOURCES } from './size-of-resources.sql.js';
import { ResourceTransitionEntity } from './resource-transition.entity.js';
import { ResourceEntity } from './resource.entity.js';
import {
  type ProbeClaim,
  type Resource,
  type ResourceDefinition,
  type ResourceId,
  type Transition,
} from './resource.js';

export interface Failure {
  readonly reason: string;
  readonly failures: number;
  readonly retryInMs?: number;
}

/** No probe is under way, and none failed before. */
const UNPROBED = { error: null, failures: 0, unfinishedProbes: 0, probeToken: null, probeUntil: null };

const DUE_NOW = { ...UNPROBED, status: 'pending', nextProbeAt: () => 'now()' } as const;

/** Where resources and their histories are kept. Everything that changes one runs within a change of the registry. */
@Injectable()
export class ResourcesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** By kind, then name. */
  async list(tx?: Transaction): Promise<Resource[]> {
    const rows = await this.read(tx, (manager) =>
      manager.find(ResourceEntity, { order: { kind: 'ASC', name: 'ASC' } }),
    );
    return rows.map(toResource);
  }

  async find(id: ResourceId, tx?: Transaction): Promise<Resource | undefined> {
    const row = await this.read(tx, (manager) => manager.findOneBy(ResourceEntity, idOf(id)));
    return row ? toResource(row) : undefined;
  }

  /** How many bytes all of them have together. */
  async size(tx: Transaction): Promise<number> {
    const [row] = await execute(entityManager(tx), SIZE_OF_RESOURCES, []);
    return row?.bytes ?? 0;
  }

  /** Stores the resource or replaces the one of this name; it is pending, and its probe is due. */
  async put(
    { kind, name, provider, config }: ResourceDefinition,
    { revision, mayBeDefault }: { readonly revision: number; readonly mayBeDefault: boolean },
    tx: Transaction,
  ): Promise<void> {
    const values = [kind, name, provider, JSON.stringify(config), revision, mayBeDefault];
    await execute(entityManager(tx), PUT_RESOURCE, values);
  }

  /** Stores its secrets in another encrypted form; nothing else about it changes. */
  async reencrypt({ kind, name, config }: ResourceDefinition, tx: Transaction): Promise<void> {
    await execute(entityManager(tx), REENCRYPT_RESOURCE, [kind, name, JSON.stringify(config)]);
  }

  /** Waits for every transaction that protects the resource; none can protect it then until this one ends. */
  async lock(id: ResourceId, tx: Transaction): Promise<void> {
    await entityManager(tx).findOne(ResourceEntity, { where: idOf(id), lock: { mode: 'pessimistic_write' } });
  }

  async remove(id: ResourceId, tx: Transaction): Promise<void> {
    await entityManager(tx).delete(ResourceEntity, idOf(id));
  }

  /** Keeps resources from being removed until the transaction ends. @returns those that exist */
  async protect(ids: readonly ResourceId[], tx: Transaction): Promise<ResourceId[]> {
    if (ids.length === 0) return [];
    const rows = await entityManager(tx).find(ResourceEntity, {
      where: ids.map(idOf),
      order: { kind: 'ASC', name: 'ASC' },
      lock: { mode: 'for_key_share' },
    });
    return rows.map(idOf);
  }

  /** Makes it pending, its probe due now. */
  async probeAgain(id: ResourceId, tx: Transaction): Promise<void> {
    await entityManager(tx).update(ResourceEntity, idOf(id), DUE_NOW);
  }

  /** Makes it failed; it is probed again after `retryInMs`, or not by itself when that is absent. */
  async fail(
    { kind, name }: ResourceId,
    { reason, failures, retryInMs }: Failure,
    tx: Transaction,
  ): Promise<void> {
    const retryInSeconds = retryInMs === undefined ? null : retryInMs / 1000;
    await execute(entityManager(tx), FAIL_RESOURCE, [kind, name, reason, failures, retryInSeconds]);
  }

  /** Makes it ready. */
  async succeed(id: ResourceId, tx: Transaction): Promise<void> {
    const ready = { ...UNPROBED, status: 'ready', nextProbeAt: null } as const;
    await entityManager(tx).update(ResourceEntity, idOf(id), ready);
  }

  /** Whether a probe is due that nothing works on. */
  async isProbeDue(): Promise<boolean> {
    return (await this.unitOfWork.execute(DUE_RESOURCES, [1])).length > 0;
  }

  /** Ends the claims whose lease ran out: their probes are unfinished. @returns their resources */
  async endUnfinished(tx: Transaction): Promise<Resource[]> {
    const rows = await execute(entityManager(tx), END_UNFINISHED_PROBES);
    return rows.map(toResource);
  }

  /** What is due and has no probe under way: first what has an unfinished probe, then what has been due for longest. */
  async due(limit: number, tx: Transaction): Promise<Resource[]> {
    const rows = await execute(entityManager(tx), DUE_RESOURCES, [limit]);
    return rows.map(toResource);
  }

  /** Takes the probe of a resource for `leaseMs`; what was failed is pending then, with its last error. */
  async claimProbe(resource: Resource, leaseMs: number, tx: Transaction): Promise<ProbeClaim> {
    const { kind, name } = resource;
    const [claim] = await execute(entityManager(tx), CLAIM_PROBE, [kind, name, leaseMs]);
    if (!claim) throw resourceNotFound(kind, name);
    return { resource, token: claim.token };
  }

  /** Whether the claim still counts: the configuration is the same, and no other process has claimed it since. */
  isClaimed({ resource, token }: ProbeClaim, tx: Transaction): Promise<boolean> {
    const claimed = { ...idOf(resource), revision: String(resource.revision), probeToken: token };
    return entityManager(tx).existsBy(ResourceEntity, claimed);
  }

  /** Gives a claim back undone; it does not count as unfinished. */
  async release({ resource, token }: ProbeClaim): Promise<void> {
    const { kind, name, unfinishedProbes } = resource;
    await this.unitOfWork.execute(RELEASE_PROBE, [kind, name, token, unfinishedProbes]);
  }

  /** Tells clients of it, too, when a model begins to answer or ceases to. */
  async record({ kind, name }: ResourceId, { from, to, reason }: Transition, tx: Transaction): Promise<void> {
    const last = await entityManager(tx).findOne(ResourceTransitionEntity, {
      where: { kind, name },
      order: { id: 'DESC' },
    });
    if (last?.toState !== to) await this.raise({ kind, name }, { to, reason }, tx);
    const transition = { kind, name, fromState: from ?? null, toState: to, reason };
    await entityManager(tx).insert(ResourceTransitionEntity, transition);
  }

  /** Newest first. */
  async history(id: ResourceId, limit: number): Promise<ResourceTransition[]> {
    const rows = await this.unitOfWork.single((manager) =>
      manager.find(ResourceTransitionEntity, { where: idOf(id), order: { id: 'DESC' }, take: limit }),
    );
    return rows.map(({ at, fromState, toState, reason }) => ({
      at: instantFromDate(at),
      ...(fromState && { from: fromState }),
      to: toState,
      reason,
    }));
  }

  private async raise(
    { kind, name }: ResourceId,
    { to, reason }: Transition,
    tx: Transaction,
  ): Promise<void> {
    if (to !== 'ready' && to !== 'failed') return;
    const raised =
      to === 'ready'
        ? notification(uuidv7(), 'model.ready', {}, { kind, name })
        : notification(uuidv7(), 'model.failed', {}, { kind, name, reason });
    const insert = outboxInsertSql(SCHEMA, configNotificationsRaised, raised, 1);
    await entityManager(tx).query(insert.sql, [...insert.parameters]);
  }

  private read<T>(tx: Transaction | undefined, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return tx ? work(entityManager(tx)) : this.unitOfWork.single(work);
  }
}

const idOf = ({ kind, name }: ResourceId): ResourceId => ({ kind, name });
