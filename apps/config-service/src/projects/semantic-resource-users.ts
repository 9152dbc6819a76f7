import { listSetsUsing, type ResourceUse } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type ResourceId } from '../resources/resource.js';
import { AllResourceUsers, type ResourceUsers } from '../resources/resource-users.js';

/** Sets of semantic memory that were configured to use a model. */
@Injectable()
export class SemanticResourceUsers implements ResourceUsers {
  constructor(
    private readonly rpc: RpcClient,
    all: AllResourceUsers,
  ) {
    all.register(this);
  }

  /** @throws AppError `service_unavailable`: while the uses are unknown, nothing counts as unused */
  async usesOf({ kind, name }: ResourceId): Promise<ResourceUse[]> {
    if (kind === 'reranker') return [];
    const { users } = await this.rpc.call(listSetsUsing, { kind, name });
    return users.map((text) => ({ text }));
  }
}
