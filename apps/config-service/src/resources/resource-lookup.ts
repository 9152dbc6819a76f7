import { invalid, type Problem, unknownResource } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { isSame, type ResourceId } from './resource.js';
import { ResourcesRepository } from './resources.repository.js';

/** A name in a request that must stand for a resource. */
export interface NamedResource extends ResourceId {
  /** Where the request has it. */
  readonly loc: Problem['loc'];
}

/** Checks the names of resources that other things are about to refer to. */
@Injectable()
export class ResourceLookup {
  constructor(private readonly resources: ResourcesRepository) {}

  /**
   * Keeps the resources from being removed until the transaction ends, so that a removal sees the rows that name them.
   * @throws AppError `unknown_resource` naming every one that is not registered
   */
  async protect(named: readonly NamedResource[], tx: Transaction): Promise<void> {
    if (named.length === 0) return;
    const existing = await this.resources.protect(named, tx);
    const [first, ...rest] = named
      .filter((one) => !existing.some((id) => isSame(id, one)))
      .map(({ kind, name, loc }) => unknownResource(kind, name, loc));
    if (first) throw invalid('unknown_resource', [first, ...rest]);
  }
}
