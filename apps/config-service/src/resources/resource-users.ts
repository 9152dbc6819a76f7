import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type ResourceId } from './resource.js';

/** Something that names resources and would miss them. */
export interface ResourceUsers {
  /** @returns each use as a person would name it, for example `project acme/web (embedder)` */
  usersOf(id: ResourceId, tx?: Transaction): Promise<string[]>;
}

/** Everybody who may use a resource; the slices that do register themselves. */
@Injectable()
export class AllResourceUsers implements ResourceUsers {
  private readonly all: ResourceUsers[] = [];

  register(users: ResourceUsers): void {
    this.all.push(users);
  }

  async usersOf(id: ResourceId, tx?: Transaction): Promise<string[]> {
    const found: string[] = [];
    for (const users of this.all) found.push(...(await users.usersOf(id, tx)));
    return found;
  }
}
