import {
  instantFromDate,
  type ResourceKind,
  type ResourceState,
  type ResourceTransition,
} from '@loci/contracts';
import { entityManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import { SCHEMA } from '../database.js';
import {
  type ProbeClaim,
  type Resource,
  type ResourceDefinition,
  type ResourceId,
  type Transition,
} from './resource.js';
import { RESOURCE_COLUMNS, type ResourceRow, toResource } from './resource-rows.js';

export interface Failure {
  readonly reason: string;
  readonly failures: number;
  readonly retryInMs?: number;
}

const RESOURCES = `${SCHEMA}.resources`;

const TRANSITIONS = `${SCHEMA}.resource_transitions`;

const THIS = 'kind = $1 AND name = $2';

const DUE = `status <> 'ready' AND next_probe_at <= now() AND (probe_until IS NULL OR probe_until < now())`;

/** Where resources and their histories are kept. Everything that changes one runs within a change of the registry. */
@Injectable()
export class ResourcesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** By kind, then name. */
  async list(tx?: Transaction): Promise<Resource[]> {
    const rows = await this.query<ResourceRow>(
      `SELECT ${RESOURCE_COLUMNS} FROM ${RESOURCES} ORDER BY kind, name`,
      [],
      tx,
    );
    return rows.map(toResource);
  }

  async find({ kind, name }: ResourceId, tx?: Transaction): Promise<Resource | undefined> {
    const [row] = await this.query<ResourceRow>(
      `SELECT ${RESOURCE_COLUMNS} FROM ${RESOURCES} WHERE ${THIS}`,
      [kind, name],
      tx,
    );
    return row && toResource(row);
  }

  /** Stores the resource or replaces the one of this name; it is pending, and its probe is due. */
  async put(
    { kind, name, provider, config }: ResourceDefinition,
    revision: number,
    tx: Transaction,
  ): Promise<void> {
    await this.query(
      `INSERT INTO ${RESOURCES} (kind, name, provider, config, revision, status, next_probe_at)
       VALUES ($1, $2, $3, $4, $5, 'pending', now())
       ON CONFLICT (kind, name) DO UPDATE
       SET provider = excluded.provider, config = excluded.config, revision = excluded.revision,
           status = 'pending', error = NULL, failures = 0, unfinished_probes = 0, next_probe_at = now(),
           probe_token = NULL, probe_until = NULL`,
      [kind, name, provider, JSON.stringify(config), revision],
      tx,
    );
  }

  /** Stores its secrets in another encrypted form; nothing else about it changes. */
  async reencrypt({ kind, name, config }: ResourceDefinition, tx: Transaction): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET config = $3 WHERE ${THIS}`,
      [kind, name, JSON.stringify(config)],
      tx,
    );
  }

  /** Waits for every transaction that holds the resource; none can hold it then until this one ends. */
  async lock({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(`SELECT 1 FROM ${RESOURCES} WHERE ${THIS} FOR UPDATE`, [kind, name], tx);
  }

  async remove({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(`DELETE FROM ${RESOURCES} WHERE ${THIS}`, [kind, name], tx);
  }

  /** Keeps resources from being removed until the transaction ends. @returns those that exist */
  hold(ids: readonly ResourceId[], tx: Transaction): Promise<ResourceId[]> {
    return this.query<{ kind: ResourceKind; name: string }>(
      `SELECT kind, name FROM ${RESOURCES}
       WHERE (kind, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       ORDER BY kind, name FOR KEY SHARE`,
      [ids.map(({ kind }) => kind), ids.map(({ name }) => name)],
      tx,
    );
  }

  /** Makes it pending, its probe due now. */
  async probeAgain({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET status = 'pending', error = NULL, failures = 0, unfinished_probes = 0,
         next_probe_at = now(), probe_token = NULL, probe_until = NULL
       WHERE ${THIS}`,
      [kind, name],
      tx,
    );
  }

  /** Makes it failed; it is probed again after `retryInMs`, or not by itself when that is absent. */
  async fail(
    { kind, name }: ResourceId,
    { reason, failures, retryInMs }: Failure,
    tx: Transaction,
  ): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET status = 'failed', error = $3, failures = $4, unfinished_probes = 0,
         next_probe_at = now() + make_interval(secs => $5), probe_token = NULL, probe_until = NULL
       WHERE ${THIS}`,
      [kind, name, reason, failures, retryInMs === undefined ? null : retryInMs / 1000],
      tx,
    );
  }

  /** Makes it ready. */
  async succeed({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET status = 'ready', error = NULL, failures = 0, unfinished_probes = 0,
         next_probe_at = NULL, probe_token = NULL, probe_until = NULL
       WHERE ${THIS}`,
      [kind, name],
      tx,
    );
  }

  /** Whether a probe is due that nobody works on. */
  async isProbeDue(): Promise<boolean> {
    return (await this.query(`SELECT 1 FROM ${RESOURCES} WHERE ${DUE} LIMIT 1`, [])).length > 0;
  }

  /** Counts the probes whose lease ran out, and gives them back. @returns their resources */
  async countUnfinished(tx: Transaction): Promise<Resource[]> {
    const rows = await this.query<ResourceRow>(
      `WITH counted AS (
         UPDATE ${RESOURCES} SET unfinished_probes = unfinished_probes + 1, probe_token = NULL, probe_until = NULL
         WHERE probe_token IS NOT NULL AND probe_until < now() RETURNING *)
       SELECT ${RESOURCE_COLUMNS} FROM counted`,
      [],
      tx,
    );
    return rows.map(toResource);
  }

  /** What is due and has no probe under way: first what has an unfinished probe, then what has been due for longest. */
  async due(limit: number, tx: Transaction): Promise<Resource[]> {
    const rows = await this.query<ResourceRow>(
      `SELECT ${RESOURCE_COLUMNS} FROM ${RESOURCES} WHERE ${DUE}
       ORDER BY unfinished_probes = 0, next_probe_at LIMIT $1`,
      [limit],
      tx,
    );
    return rows.map(toResource);
  }

  /** Takes the probe of a resource for `leaseMs`; what was failed is pending then, with its last error. */
  async claimProbe(resource: Resource, leaseMs: number, tx: Transaction): Promise<ProbeClaim> {
    const token = uuidv4();
    await this.query(
      `UPDATE ${RESOURCES} SET status = 'pending', probe_token = $3,
         probe_until = now() + make_interval(secs => $4)
       WHERE ${THIS}`,
      [resource.kind, resource.name, token, leaseMs / 1000],
      tx,
    );
    return { resource, token };
  }

  /** Whether the claim still counts: the configuration is the same, and nobody else has claimed it since. */
  async isClaimed({ resource, token }: ProbeClaim, tx: Transaction): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 FROM ${RESOURCES} WHERE ${THIS} AND revision = $3 AND probe_token = $4`,
      [resource.kind, resource.name, resource.revision, token],
      tx,
    );
    return rows.length > 0;
  }

  /** Gives a claim back undone; it does not count as unfinished. */
  async release({ resource, token }: ProbeClaim): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET probe_token = NULL, probe_until = NULL WHERE ${THIS} AND probe_token = $3`,
      [resource.kind, resource.name, token],
    );
  }

  async record({ kind, name }: ResourceId, { from, to, reason }: Transition, tx: Transaction): Promise<void> {
    await this.query(
      `INSERT INTO ${TRANSITIONS} (kind, name, from_state, to_state, reason) VALUES ($1, $2, $3, $4, $5)`,
      [kind, name, from ?? null, to, reason],
      tx,
    );
  }

  /** Newest first. */
  async history({ kind, name }: ResourceId, limit: number): Promise<ResourceTransition[]> {
    const rows = await this.query<{
      at: Date;
      from_state: ResourceState | null;
      to_state: ResourceState;
      reason: string;
    }>(
      `SELECT at, from_state, to_state, reason FROM ${TRANSITIONS} WHERE ${THIS} ORDER BY id DESC LIMIT $3`,
      [kind, name, limit],
    );
    return rows.map(({ at, from_state, to_state, reason }) => ({
      at: instantFromDate(at),
      ...(from_state && { from: from_state }),
      to: to_state,
      reason,
    }));
  }

  /** Statements of the driver answer with rows; an UPDATE or DELETE with rows and their number. */
  private query<Row>(sql: string, parameters: unknown[], tx?: Transaction): Promise<Row[]> {
    return tx
      ? entityManager(tx).query<Row[]>(sql, parameters)
      : this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters));
  }
}
