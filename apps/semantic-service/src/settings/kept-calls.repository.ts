import { execute, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type OpenProject } from '../projects/project.js';
import { ProjectEntity } from '../projects/project.entity.js';
import { rowsIn } from '../projects/row-scope.js';
import { RECONSIDER_MODEL_CALLS } from './reconsider-model-calls.sql.js';

/** What a project keeps of the calls of models. */
export interface KeptCalls {
  readonly keepCallsDays: number;
  readonly keepCallTexts: boolean;
}

@Injectable()
export class KeptCallsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async get({ uid, tenant: { orgId } }: Pick<OpenProject, 'uid' | 'tenant'>): Promise<KeptCalls> {
    const found = await this.unitOfWork.single(
      (manager) =>
        manager.findOne(ProjectEntity, {
          select: { keepCallsDays: true, keepCallTexts: true },
          where: { uid },
        }),
      rowsIn({ orgId, projectUid: uid }),
    );
    return { keepCallsDays: found?.keepCallsDays ?? 0, keepCallTexts: found?.keepCallTexts ?? false };
  }

  /** Waits for calls that are being stored: what is kept fits the setting when the transaction ends. */
  async configure(
    { uid, tenant: { orgId } }: Pick<OpenProject, 'uid' | 'tenant'>,
    changed: { readonly [Name in keyof KeptCalls]?: KeptCalls[Name] | undefined },
    tx: Transaction,
  ): Promise<void> {
    const { keepCallsDays, keepCallTexts } = changed;
    if (keepCallsDays === undefined && keepCallTexts === undefined) return;
    const manager = await scopedManager(tx, rowsIn({ orgId, projectUid: uid }));
    await manager.update(
      ProjectEntity,
      { uid, state: 'open' },
      {
        ...(keepCallsDays !== undefined && { keepCallsDays }),
        ...(keepCallTexts !== undefined && { keepCallTexts }),
      },
    );
    const project = await manager.findOneBy(ProjectEntity, { uid });
    await execute(manager, RECONSIDER_MODEL_CALLS, [
      uid,
      project?.keepCallsDays ?? 0,
      project?.keepCallTexts ?? false,
    ]);
  }
}
