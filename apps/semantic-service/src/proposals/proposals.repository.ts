import { type Instant, MAX_ANSWER_BYTES } from '@loci/contracts';
import {
  type BoundedRow,
  ROWS_OF_ALL,
  rowsWithin,
  scopedManager,
  type Transaction,
  UnitOfWork,
  withinBytes,
} from '@loci/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { instantText, SCHEMA } from '../database.js';
import { SemanticServiceEnv } from '../env.js';
import { union } from '../features/feature-states.js';
import { type Citation } from '../features/feature.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { changeableRows, visibleRows } from '../projects/visible-rows.js';
import { type NewProposal, type Proposal, type ProposedFeature } from './proposal.js';

const PROPOSALS = `${SCHEMA}.proposals`;

/** Messages that one proposal cites: the first ones that brought it about. */
const MAX_CITATIONS = 100;

/** Parameters 1 and 2: organization and project. */
const SELECT = `SELECT proposal.uid, proposal.set_uid, sets.id AS set_id, proposal.org_id, proposal.project_uid,
  proposal.source_project_uid, proposal.command, proposal.category, proposal.tag, proposal.name, proposal.value,
  proposal.features, proposal.citations, proposal.job_id, proposal.model, ${instantText('proposal.created_at')} AS at
  FROM ${PROPOSALS} AS proposal JOIN ${SCHEMA}.sets ON sets.uid = proposal.set_uid`;

const SAME = `set_uid = $1 AND md5(category) = md5($2) AND command = $3 AND md5(tag) = md5($4) AND md5(name) = md5($5)
  AND md5(value) = md5($6) AND source_project_uid IS NOT DISTINCT FROM $7::uuid`;

const BYTES = 'octet_length(value) + octet_length(features::text) + octet_length(citations::text)';

interface Row {
  readonly uid: string;
  readonly set_uid: string;
  readonly set_id: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly source_project_uid: string | null;
  readonly command: 'update' | 'delete';
  readonly category: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  readonly features: readonly ProposedFeature[];
  readonly citations: readonly Citation[];
  readonly job_id: string | null;
  readonly model: string | null;
  readonly at: Instant;
}

/** Open proposals; a decided one is gone. What a scope does not show is not there. */
@Injectable()
export class ProposalsRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(SemanticServiceEnv) private readonly env: Pick<SemanticServiceEnv, 'MAX_PROPOSALS_PER_SET'>,
  ) {}

  /**
   * One that asks for the same as an open one becomes one with it. Takes place under the lock of the set.
   * @returns false when the set has as many as it may have
   */
  async add(proposal: NewProposal, tx: Transaction): Promise<boolean> {
    const { location, command, category, tag, name, value, features, jobId, model } = proposal;
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const same = [location.setUid, category, command, tag, name, value, proposal.sourceProjectUid];
    const [known] = await manager.query<{ uid: string; citations: readonly Citation[] }[]>(
      `SELECT uid, citations FROM ${PROPOSALS} WHERE ${SAME}`,
      same,
    );
    if (!known && (await this.count(location.setUid, tx)) >= this.env.MAX_PROPOSALS_PER_SET) return false;
    const citations = union(known?.citations ?? [], proposal.citations).slice(0, MAX_CITATIONS);
    await manager.query(
      `INSERT INTO ${PROPOSALS} (set_uid, category, command, tag, name, value, source_project_uid, uid, org_id,
         project_uid, features, feature_uids, citations, episode_uids, job_id, model)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
       ON CONFLICT (uid) DO UPDATE SET features = excluded.features, feature_uids = excluded.feature_uids,
         citations = excluded.citations, episode_uids = excluded.episode_uids,
         job_id = excluded.job_id, model = excluded.model`,
      [
        ...[...same, known?.uid ?? uuidv7(), location.orgId, location.projectUid],
        ...[JSON.stringify(features), features.map(({ uid }) => uid)],
        ...[JSON.stringify(citations), citations.map(({ episodeUid }) => episodeUid), jobId, model],
      ],
    );
    return true;
  }

  /** Oldest first; `total` counts all pages. @param setUid undefined = of all sets */
  list(
    scope: Scope,
    setUid: string | undefined,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ proposals: Proposal[]; total: number }> {
    const shown = `${visibleRows(scope, 'proposal')} AND ($3::uuid IS NULL OR proposal.set_uid = $3)`;
    const parameters = [scope.orgId, scope.projectUid, setUid];
    return this.unitOfWork.single(async (manager) => {
      const [counted] = await manager.query<{ total: number }[]>(
        `SELECT count(*)::int AS total FROM ${PROPOSALS} AS proposal WHERE ${shown}`,
        parameters,
      );
      const page = `${SELECT} WHERE ${shown} ORDER BY proposal.uid LIMIT $4 OFFSET $5`;
      const rows = await manager.query<BoundedRow<Row>[]>(
        withinBytes({ page, columns: 'page.*', bytes: BYTES, order: 'page.uid', maxBytes: '$6' }),
        [...parameters, limit, offset, MAX_ANSWER_BYTES],
      );
      const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit };
      return { proposals: rowsWithin(rows, asked).map(toProposal), total: counted?.total ?? 0 };
    }, rowsIn(scope));
  }

  async find(scope: Scope, uid: string, tx: Transaction): Promise<Proposal | undefined> {
    const manager = await scopedManager(tx, rowsIn(scope));
    const [row] = await manager.query<Row[]>(
      `${SELECT} WHERE ${visibleRows(scope, 'proposal')} AND proposal.uid = $3`,
      [scope.orgId, scope.projectUid, uid],
    );
    return row && toProposal(row);
  }

  /** @returns false when it is gone already */
  async remove(scope: Scope, uid: string, tx: Transaction): Promise<boolean> {
    const manager = await scopedManager(tx, rowsIn(scope));
    const rows = await manager.query<unknown[]>(
      `WITH removed AS (
         DELETE FROM ${PROPOSALS} AS proposal WHERE ${changeableRows(scope, 'proposal')} AND uid = $3 RETURNING uid)
       SELECT uid FROM removed`,
      [scope.orgId, scope.projectUid, uid],
    );
    return rows.length === 1;
  }

  private async count(setUid: string, tx: Transaction): Promise<number> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    const [row] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${PROPOSALS} WHERE set_uid = $1`,
      [setUid],
    );
    return row?.count ?? 0;
  }
}

const toProposal = (row: Row): Proposal => ({
  uid: row.uid,
  location: { setUid: row.set_uid, orgId: row.org_id, projectUid: row.project_uid ?? undefined },
  setId: row.set_id,
  sourceProjectUid: row.source_project_uid ?? undefined,
  ...{ command: row.command, category: row.category, tag: row.tag, name: row.name, value: row.value },
  ...{ features: row.features, citations: row.citations },
  ...{ jobId: row.job_id ?? undefined, model: row.model ?? undefined, createdAt: row.at },
});
