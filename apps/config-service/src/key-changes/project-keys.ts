import { type Tenant } from '@loci/contracts';
import { execute, rowsOf, scopedManager, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { KeyChanges } from './key-changes.js';
import { REVOKE_PROJECT_KEYS } from './revoke-project-keys.sql.js';

/** The keys that are bound to a project: they end with it. */
@Injectable()
export class ProjectKeys {
  constructor(private readonly changes: KeyChanges) {}

  /** @returns the ids of those that were valid; every gateway is to hear of them after the commit (`KeyChanges.announceAll`) */
  async revoke({ orgId, projectId }: Tenant, tx: Transaction): Promise<readonly string[]> {
    const manager = await scopedManager(tx, rowsOf(orgId));
    const revoked = await execute(manager, REVOKE_PROJECT_KEYS, [orgId, projectId]);
    const ids = revoked.map(({ id }) => id);
    await this.changes.noteAll(ids, tx);
    return ids;
  }
}
