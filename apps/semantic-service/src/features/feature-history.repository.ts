import { type Author, type ChangeAction, type ChangeOriginKind, type Instant } from '@loci/contracts';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type Scope } from '../projects/project.js';
import { instantText, SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { visibleRows } from '../projects/visible-rows.js';
import { originOf } from './feature-origins.js';
import { type ChangeOrigin, type FeatureLocation, type FeatureState } from './feature.js';
import { type Partition, TRUSTED } from './partition.js';

export interface NewHistoryEntry {
  readonly featureUid: string;
  readonly location: FeatureLocation;
  readonly origin: ChangeOrigin;
  readonly before: FeatureState | undefined;
  readonly after: FeatureState | undefined;
}

export interface HistoryEntry extends NewHistoryEntry {
  readonly uid: string;
  readonly action: ChangeAction;
  readonly at: Instant;
}

/** All that was changed at once in a set. */
export interface SetChange {
  readonly uid: string;
  readonly origin: ChangeOriginKind;
  readonly jobId: string | undefined;
  readonly model: string | undefined;
  readonly author: Author | undefined;
  readonly at: Instant;
  /** In the sequence in which they were changed. */
  readonly features: readonly { readonly featureUid: string; readonly action: ChangeAction }[];
}

export interface ChangePage {
  readonly offset: number;
  readonly limit: number;
}

interface Row {
  readonly uid: string;
  readonly change_uid: string;
  readonly feature_uid: string;
  readonly set_uid: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly action: ChangeAction;
  readonly origin: ChangeOriginKind;
  readonly job_id: string | null;
  readonly model: string | null;
  readonly author: Author | null;
  readonly episodes: string[];
  readonly before: KeptState | null;
  readonly after: KeptState | null;
  readonly at: Instant;
}

/** What an older version wrote is a change of its own. */
const CHANGE = 'coalesce(change_uid, feature_history.uid)';

const COLUMNS = `uid, ${CHANGE} AS change_uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, author, episodes, before, after,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

const ofSet = (scope: Scope): string =>
  `FROM ${SCHEMA}.feature_history WHERE ${visibleRows(scope, 'feature_history')} AND set_uid = $3`;

const countChanges = (scope: Scope): string =>
  `SELECT count(DISTINCT ${CHANGE})::int AS total ${ofSet(scope)}`;

/** Uids of changes are sorted by time. */
const listChanges = (scope: Scope): string => `
SELECT ${CHANGE} AS change_uid, min(origin) AS origin, min(job_id) AS job_id, min(model) AS model,
       (array_agg(author ORDER BY uid))[1] AS author,       ${instantText('min(at)')} AS at,
       jsonb_agg(jsonb_build_object('featureUid', feature_uid, 'action', action) ORDER BY uid) AS features
${ofSet(scope)} GROUP BY 1 ORDER BY 1 DESC LIMIT $4 OFFSET $5`;

interface ChangeRow {
  readonly change_uid: string;
  readonly origin: ChangeOriginKind;
  readonly job_id: string | null;
  readonly model: string | null;
  readonly author: Author | null;
  readonly at: Instant;
  readonly features: SetChange['features'];
}

const ADD: PreparedStatement = {
  name: 'feature_history_add',
  sql: `
INSERT INTO ${SCHEMA}.feature_history
  (uid, feature_uid, set_uid, org_id, project_uid, action, origin, job_id, model, episodes, before, after, change_uid,
   author)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
};

/** What happened to features, for as long as the episodes behind it are remembered. */
@Injectable()
export class FeatureHistoryRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async add(entry: NewHistoryEntry, tx: Transaction): Promise<void> {
    const { featureUid, location, origin, before, after } = entry;
    const values = [
      ...[uuidv7(), featureUid, location.setUid, location.orgId, location.projectUid],
      ...[actionOf(entry), origin.kind, origin.jobId, origin.model, episodesOf(entry)],
      ...[before, after].map((state) => state && JSON.stringify(state)),
      ...[origin.changeUid, origin.author && JSON.stringify(origin.author)],
    ];
    await this.unitOfWork.prepared(ADD, values, { tx, scope: ROWS_OF_ALL });
  }

  /** Newest first. */
  async list(scope: Scope, featureUid: string, tx?: Transaction): Promise<HistoryEntry[]> {
    return this.read(scope, 'feature_uid = $3', [featureUid], tx);
  }

  /** What belongs to one change of a set, newest first. */
  async ofChange(scope: Scope, setUid: string, changeUid: string, tx: Transaction): Promise<HistoryEntry[]> {
    return this.read(scope, `set_uid = $3 AND ${CHANGE} = $4`, [setUid, changeUid], tx);
  }

  /** The changes of a set, newest first. */
  async changes(
    scope: Scope,
    setUid: string,
    { offset, limit }: ChangePage,
  ): Promise<{ changes: SetChange[]; total: number }> {
    const parameters = [scope.orgId, scope.projectUid, setUid];
    return this.unitOfWork.single(async (manager) => {
      const [counted] = await manager.query<{ total: number }[]>(countChanges(scope), parameters);
      const rows = await manager.query<ChangeRow[]>(listChanges(scope), [...parameters, limit, offset]);
      return { changes: rows.map(toChange), total: counted?.total ?? 0 };
    }, rowsIn(scope));
  }

  /** Forgets all that happened to these features, and what was proposed of them. */
  async forget(featureUids: readonly string[], tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, ROWS_OF_ALL);
    await manager.query(`DELETE FROM ${SCHEMA}.feature_history WHERE feature_uid = ANY($1::uuid[])`, [
      featureUids,
    ]);
    await manager.query(`DELETE FROM ${SCHEMA}.proposals WHERE feature_uids && $1::uuid[]`, [featureUids]);
  }

  /** @param further parameters of the condition, numbered from 3 */
  private async read(
    scope: Scope,
    condition: string,
    further: readonly string[],
    tx: Transaction | undefined,
  ): Promise<HistoryEntry[]> {
    const sql = `SELECT ${COLUMNS} FROM ${SCHEMA}.feature_history
       WHERE ${visibleRows(scope, 'feature_history')} AND ${condition} ORDER BY feature_history.uid DESC`;
    const parameters = [scope.orgId, scope.projectUid, ...further];
    const rows = rowsIn(scope);
    const found = tx
      ? await (await scopedManager(tx, rows)).query<Row[]>(sql, parameters)
      : await this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), rows);
    return found.map(toEntry);
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
  location: { setUid: row.set_uid, orgId: row.org_id, projectUid: row.project_uid ?? undefined },
  action: row.action,
  origin: {
    kind: row.origin,
    changeUid: row.change_uid,
    jobId: row.job_id ?? undefined,
    model: row.model ?? undefined,
    author: row.author ?? undefined,
    episodes: row.episodes,
  },
  before: row.before ? completed(row.before) : undefined,
  after: row.after ? completed(row.after) : undefined,
  at: row.at,
});

const toChange = ({ change_uid, origin, job_id, model, author, at, features }: ChangeRow): SetChange => ({
  ...{ uid: change_uid, origin, at, features },
  jobId: job_id ?? undefined,
  model: model ?? undefined,
  author: author ?? undefined,
});

/** A state as an older version may have kept it, without its partition and origin. */
type KeptState = Omit<FeatureState, keyof Partition | 'origin'> & Partial<FeatureState>;

const completed = (state: KeptState): FeatureState => ({
  ...TRUSTED,
  ...state,
  origin: originOf(state.origin, state.byClient),
});
