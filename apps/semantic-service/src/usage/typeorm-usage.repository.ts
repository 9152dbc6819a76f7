import { type ModelUsage } from '@loci/models';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { type UsageOfDay, type UsageOwner, UsageRepository } from './usage.repository.js';

interface UsageRow {
  readonly day: string;
  readonly model: string;
  readonly calls: string;
  readonly input_tokens: string;
  readonly output_tokens: string;
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

@Injectable()
export class TypeormUsageRepository extends UsageRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async add(
    { orgId, projectUid }: UsageOwner,
    model: string,
    { inputTokens, outputTokens }: ModelUsage,
  ): Promise<void> {
    await this.unitOfWork.single((manager) =>
      manager.query(
        `INSERT INTO ${SCHEMA}.ingestion_usage AS usage
           (day, org_id, project_uid, model, calls, input_tokens, output_tokens)
         VALUES (${TODAY}, $1, $2, $3, 1, $4, $5)
         ON CONFLICT (org_id, project_uid, day, model) DO UPDATE
         SET calls = usage.calls + 1, input_tokens = usage.input_tokens + excluded.input_tokens,
             output_tokens = usage.output_tokens + excluded.output_tokens`,
        [orgId, projectUid, model, inputTokens, outputTokens],
      ),
    );
  }

  override async list({ orgId, projectUid }: UsageOwner, days: number): Promise<UsageOfDay[]> {
    const rows = await this.unitOfWork.single((manager) =>
      manager.query<UsageRow[]>(
        `SELECT day::text AS day, model, calls, input_tokens, output_tokens FROM ${SCHEMA}.ingestion_usage
         WHERE org_id = $1 AND project_uid IS NOT DISTINCT FROM $2 AND day > ${TODAY} - $3::int
         ORDER BY day DESC, model`,
        [orgId, projectUid, days],
      ),
    );
    return rows.map(({ day, model, calls, input_tokens, output_tokens }) => ({
      day,
      model,
      calls: Number(calls),
      inputTokens: Number(input_tokens),
      outputTokens: Number(output_tokens),
    }));
  }
}
