import { quotaExceeded } from '@loci/contracts';
import { QuotaLimits, quotaRefusals, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { rowsIn } from '../projects/row-scope.js';
import { SetCountEntity } from './set-count.entity.js';
import { type MemorySet } from './set.js';
import { SetsRepository } from './sets.repository.js';

/** Registers sets, as many as the quota of their organization has room for. */
@Injectable()
export class NewSets {
  private readonly refusals;

  constructor(
    private readonly sets: SetsRepository,
    private readonly limits: QuotaLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: SemanticServiceEnv,
    metrics: Metrics,
  ) {
    this.refusals = quotaRefusals(metrics);
  }

  /** All of them. @param tx none = a transaction of its own @throws AppError `quota_exceeded` */
  async register(sets: readonly MemorySet[], tx?: Transaction): Promise<void> {
    if (!tx) return this.unitOfWork.run((own) => this.register(sets, own));
    const [refused] = (await this.registerSome(sets, tx)).values();
    if (!refused) return;
    throw quotaExceeded(refused.orgId, { name: 'sets', ...(await this.room(refused.orgId, tx)) });
  }

  /**
   * The first ones for which there is room. Costs one read when all of them are known.
   * @returns those that were refused, by uid
   */
  async registerSome(sets: readonly MemorySet[], tx: Transaction): Promise<ReadonlyMap<string, MemorySet>> {
    const refused = new Map<string, MemorySet>();
    const unknown = await this.unknown(sets, tx);
    const orgIds = [...new Set(unknown.map(({ orgId }) => orgId))].sort();
    for (const orgId of orgIds) {
      // intake waits for it, with messages of all organizations: it is held to register sets and for nothing else
      await this.limits.lock(orgId, tx, 'sets');
      const missing = await this.unknown(
        unknown.filter((set) => set.orgId === orgId),
        tx,
      );
      const { limit, used } = await this.room(orgId, tx);
      const room = Math.max(0, limit - used);
      if (room > 0) await this.sets.register(missing.slice(0, room), tx);
      for (const set of missing.slice(room)) refused.set(set.uid, set);
    }
    if (refused.size > 0) this.refusals.inc({ quota: 'sets' }, refused.size);
    return refused;
  }

  private async unknown(sets: readonly MemorySet[], tx: Transaction): Promise<MemorySet[]> {
    if (sets.length === 0) return [];
    const known = await this.sets.known(
      sets.map(({ uid }) => uid),
      tx,
    );
    return sets.filter(({ uid }) => !known.has(uid));
  }

  private async room(orgId: string, tx: Transaction): Promise<{ limit: number; used: number }> {
    const limit = (await this.limits.of(orgId, tx)).get('sets') ?? this.env.QUOTA_SETS;
    const manager = await scopedManager(tx, rowsIn({ orgId, projectUid: undefined }));
    const row = await manager.findOneBy(SetCountEntity, { orgId });
    return { limit, used: Number(row?.sets ?? 0) };
  }
}
