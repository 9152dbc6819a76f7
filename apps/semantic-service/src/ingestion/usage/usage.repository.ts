import { type PreparedStatement, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner, type Scope } from '../../projects/project.js';
import { SCHEMA } from '../../database.js';
import { rowsIn } from '../../projects/row-scope.js';
import { visibleRows } from '../../projects/visible-rows.js';

/** What was asked of a model in one go: a call, its repair included. */
export interface UsageCount {
  /** Replies of the provider, also those that were of no use. */
  readonly calls: number;
  /** 1 when nothing usable came in the end. */
  readonly failures: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined for a model without prices. */
  readonly cost: number | undefined;
}

export interface UsageOfDay extends UsageCount {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly model: string;
  readonly isOrgLevel: boolean;
}

interface UsageRow {
  readonly day: string;
  readonly model: string;
  readonly is_org_level: boolean;
  readonly calls: string;
  readonly failures: string;
  readonly input_tokens: string;
  readonly output_tokens: string;
  readonly cost: string | null;
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const ADD: PreparedStatement = {
  name: 'ingestion_usage_add',
  sql: `
INSERT INTO ${SCHEMA}.ingestion_usage AS usage
  (day, org_id, project_uid, model, calls, failures, input_tokens, output_tokens, cost)
VALUES (${TODAY}, $1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (org_id, project_uid, day, model) DO UPDATE
SET calls = usage.calls + excluded.calls, failures = usage.failures + excluded.failures,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    output_tokens = usage.output_tokens + excluded.output_tokens,
    cost = coalesce(usage.cost + excluded.cost, usage.cost, excluded.cost)`,
};

/** What calls of models cost, by day. */
@Injectable()
export class UsageRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @param owner who pays: the project, or its organization as a whole when there is none */
  async add(
    { orgId, projectUid }: Owner,
    model: string,
    { calls, failures, inputTokens, outputTokens, cost }: UsageCount,
  ): Promise<void> {
    const counts = [calls, failures, inputTokens, outputTokens, cost];
    await this.unitOfWork.prepared(ADD, [orgId, projectUid, model, ...counts], { scope: ROWS_OF_ALL });
  }

  /** Of the project and of its organization as a whole; newest day first. */
  async list(scope: Scope, days: number): Promise<UsageOfDay[]> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<UsageRow[]>(
          `SELECT day::text AS day, model, project_uid IS NULL AS is_org_level, calls, failures, input_tokens,
                output_tokens, cost
         FROM ${SCHEMA}.ingestion_usage
         WHERE ${visibleRows(scope, 'ingestion_usage')} AND day > ${TODAY} - $3::int
         ORDER BY day DESC, model, is_org_level`,
          [scope.orgId, scope.projectUid, days],
        ),
      rowsIn(scope),
    );
    return rows.map(toUsage);
  }
}

const toUsage = (row: UsageRow): UsageOfDay => ({
  day: row.day,
  model: row.model,
  isOrgLevel: row.is_org_level,
  calls: Number(row.calls),
  failures: Number(row.failures),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
  cost: row.cost === null ? undefined : Number(row.cost),
});
