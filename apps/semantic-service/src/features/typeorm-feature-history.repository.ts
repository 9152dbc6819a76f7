import { type ChangeAction, type ChangeOriginKind, type Instant } from '@loci/contracts';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { type Scope } from '../projects/project.js';
import {
  FeatureHistoryRepository,
  type HistoryEntry,
  type NewHistoryEntry,
} from './feature-history.repository.js';
import { type FeatureState } from './feature.js';

interface Row {
  readonly uid: string;
  readonly feature_uid: string;
  readonly set_uid: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly action: ChangeAction;
  readonly origin: ChangeOriginKind;
  readonly job_id: string | null;
  readonly model: string | null;
  readonly episodes: string[];
  readonly before: FeatureState | null;
  readonly after: FeatureState | null;
  readonly at: Instant;
}

const COLUMNS = `uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, episodes, before, after,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

const ADD: PreparedStatement = {
  name: 'feature_history_add',
  sql: `
INSERT INTO ${SCHEMA}.feature_history
  (uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, episodes, before, after)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};

@Injectable()
export class TypeormFeatureHistoryRepository extends FeatureHistoryRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async add(entry: NewHistoryEntry, tx: Transaction): Promise<void> {
    const { featureUid, place, origin, before, after } = entry;
    const values = [
      ...[uuidv7(), featureUid, place.setUid, place.orgId, place.projectUid],
      ...[actionOf(entry), origin.kind, origin.jobId, origin.model, episodesOf(entry)],
      ...[before, after].map((state) => state && JSON.stringify(state)),
    ];
    await this.unitOfWork.prepared(ADD, values, { tx, scope: ROWS_OF_ALL });
  }

  override async list(
    { orgId, projectUid }: Scope,
    featureUid: string,
    tx?: Transaction,
  ): Promise<HistoryEntry[]> {
    const sql = `SELECT ${COLUMNS} FROM ${SCHEMA}.feature_history
       WHERE org_id = $1 AND (project_uid IS NULL OR project_uid = $2) AND feature_uid = $3
       ORDER BY feature_history.uid DESC`;
    const parameters = [orgId, projectUid, featureUid];
    const scope = rowsIn({ orgId, projectUid });
    const found = tx
      ? await (await scopedManager(tx, scope)).query<Row[]>(sql, parameters)
      : await this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), scope);
    return found.map(toEntry);
  }

  override async forget(featureUids: readonly string[], tx: Transaction): Promise<void> {
    await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query(`DELETE FROM ${SCHEMA}.feature_history WHERE feature_uid = ANY($1::uuid[])`, [featureUids]);
  }
}

function actionOf({ before, after }: NewHistoryEntry): ChangeAction {
  if (!before) return 'add';
  return after ? 'update' : 'remove';
}

const episodesOf = ({ origin, before, after }: NewHistoryEntry): string[] => [
  ...new Set([
    ...origin.episodes,
    ...[before, after].flatMap((state) => state?.citations.map(({ episodeUid }) => episodeUid) ?? []),
  ]),
];

const toEntry = (row: Row): HistoryEntry => ({
  uid: row.uid,
  featureUid: row.feature_uid,
  place: { setUid: row.set_uid, orgId: row.org_id, projectUid: row.project_uid ?? undefined },
  action: row.action,
  origin: {
    kind: row.origin,
    jobId: row.job_id ?? undefined,
    model: row.model ?? undefined,
    episodes: row.episodes,
  },
  before: row.before ?? undefined,
  after: row.after ?? undefined,
  at: row.at,
});
