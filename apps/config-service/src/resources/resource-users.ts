import { type ResourceUse } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type ResourceId } from './resource.js';

/** Something that names resources and would miss them. */
export interface ResourceUsers {
  usesOf(id: ResourceId, tx?: Transaction): Promise<ResourceUse[]>;
}

/** Everybody who may use a resource; the slices that do register themselves. */
@Injectable()
export class AllResourceUsers implements ResourceUsers {
  private readonly all: ResourceUsers[] = [];

  register(users: ResourceUsers): void {
    this.all.push(users);
  }

  async usesOf(id: ResourceId, tx?: Transaction): Promise<ResourceUse[]> {
    const found: ResourceUse[] = [];
    for (const users of this.all) found.push(...(await users.usesOf(id, tx)));
    return found;
  }

  /** @returns each use as a person would name it, for example `project acme/web (embedder)` */
  async usersOf(id: ResourceId, tx?: Transaction): Promise<string[]> {
    return (await this.usesOf(id, tx)).map(({ text }) => text);
  }
}
