import { type RowOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner, type Scope } from '../../projects/project.js';
import { rowsIn } from '../../projects/row-scope.js';
import { ADD_USAGE } from './add-usage.sql.js';
import { listUsage } from './list-usage.sql.js';

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
    const values = [orgId, projectUid, model, ...counts];
    await this.unitOfWork.execute(ADD_USAGE, values, { scope: rowsIn({ orgId, projectUid }) });
  }

  /** Of the project and of its organization as a whole; newest day first. */
  async list(scope: Scope, days: number): Promise<UsageOfDay[]> {
    const values = [scope.orgId, scope.projectUid, days];
    const rows = await this.unitOfWork.execute(listUsage(scope), values, { scope: rowsIn(scope) });
    return rows.map(toUsage);
  }
}

const toUsage = (row: RowOf<ReturnType<typeof listUsage>['row']>): UsageOfDay => ({
  day: row.day,
  model: row.model,
  isOrgLevel: row.is_org_level,
  calls: Number(row.calls),
  failures: Number(row.failures),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
  cost: row.cost === null ? undefined : Number(row.cost),
});
