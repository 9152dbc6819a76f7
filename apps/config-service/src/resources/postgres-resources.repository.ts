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
import { type Failure, ResourcesRepository } from './resources.repository.js';
import { RESOURCE_COLUMNS, type ResourceRow, toResource } from './resource-rows.js';

const RESOURCES = `${SCHEMA}.resources`;
const TRANSITIONS = `${SCHEMA}.resource_transitions`;
const THIS = 'kind = $1 AND name = $2';
const DUE = `status <> 'ready' AND next_probe_at <= now() AND (probe_until IS NULL OR probe_until < now())`;

@Injectable()
export class PostgresResourcesRepository extends ResourcesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async list(tx?: Transaction): Promise<Resource[]> {
    const rows = await this.query<ResourceRow>(
      `SELECT ${RESOURCE_COLUMNS} FROM ${RESOURCES} ORDER BY kind, name`,
      [],
      tx,
    );
    return rows.map(toResource);
  }

  override async find({ kind, name }: ResourceId, tx?: Transaction): Promise<Resource | undefined> {
    const [row] = await this.query<ResourceRow>(
      `SELECT ${RESOURCE_COLUMNS} FROM ${RESOURCES} WHERE ${THIS}`,
      [kind, name],
      tx,
    );
    return row && toResource(row);
  }

  override async put(
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

  override async reencrypt({ kind, name, config }: ResourceDefinition, tx: Transaction): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET config = $3 WHERE ${THIS}`,
      [kind, name, JSON.stringify(config)],
      tx,
    );
  }

  override async lock({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(`SELECT 1 FROM ${RESOURCES} WHERE ${THIS} FOR UPDATE`, [kind, name], tx);
  }

  override async remove({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(`DELETE FROM ${RESOURCES} WHERE ${THIS}`, [kind, name], tx);
  }

  override hold(ids: readonly ResourceId[], tx: Transaction): Promise<ResourceId[]> {
    return this.query<{ kind: ResourceKind; name: string }>(
      `SELECT kind, name FROM ${RESOURCES}
       WHERE (kind, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       ORDER BY kind, name FOR KEY SHARE`,
      [ids.map(({ kind }) => kind), ids.map(({ name }) => name)],
      tx,
    );
  }

  override async probeAgain({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET status = 'pending', error = NULL, failures = 0, unfinished_probes = 0,
         next_probe_at = now(), probe_token = NULL, probe_until = NULL
       WHERE ${THIS}`,
      [kind, name],
      tx,
    );
  }

  override async fail(
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

  override async succeed({ kind, name }: ResourceId, tx: Transaction): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET status = 'ready', error = NULL, failures = 0, unfinished_probes = 0,
         next_probe_at = NULL, probe_token = NULL, probe_until = NULL
       WHERE ${THIS}`,
      [kind, name],
      tx,
    );
  }

  override async isProbeDue(): Promise<boolean> {
    return (await this.query(`SELECT 1 FROM ${RESOURCES} WHERE ${DUE} LIMIT 1`, [])).length > 0;
  }

  override async countUnfinished(tx: Transaction): Promise<Resource[]> {
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

  override async due(limit: number, tx: Transaction): Promise<Resource[]> {
    const rows = await this.query<ResourceRow>(
      `SELECT ${RESOURCE_COLUMNS} FROM ${RESOURCES} WHERE ${DUE}
       ORDER BY unfinished_probes = 0, next_probe_at LIMIT $1`,
      [limit],
      tx,
    );
    return rows.map(toResource);
  }

  override async claimProbe(resource: Resource, leaseMs: number, tx: Transaction): Promise<ProbeClaim> {
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

  override async isClaimed({ resource, token }: ProbeClaim, tx: Transaction): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 FROM ${RESOURCES} WHERE ${THIS} AND revision = $3 AND probe_token = $4`,
      [resource.kind, resource.name, resource.revision, token],
      tx,
    );
    return rows.length > 0;
  }

  override async release({ resource, token }: ProbeClaim): Promise<void> {
    await this.query(
      `UPDATE ${RESOURCES} SET probe_token = NULL, probe_until = NULL WHERE ${THIS} AND probe_token = $3`,
      [resource.kind, resource.name, token],
    );
  }

  override async record(
    { kind, name }: ResourceId,
    { from, to, reason }: Transition,
    tx: Transaction,
  ): Promise<void> {
    await this.query(
      `INSERT INTO ${TRANSITIONS} (kind, name, from_state, to_state, reason) VALUES ($1, $2, $3, $4, $5)`,
      [kind, name, from ?? null, to, reason],
      tx,
    );
  }

  override async history({ kind, name }: ResourceId, limit: number): Promise<ResourceTransition[]> {
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
