import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Resource } from './resource.js';

/** Does something as a part of the transaction in which a resource becomes ready. */
export type ReadyListener = (resource: Resource, tx: Transaction) => Promise<void>;

/** Tells those who registered themselves of each resource that becomes ready. */
@Injectable()
export class ReadyResources {
  private readonly listeners: ReadyListener[] = [];

  register(listener: ReadyListener): void {
    this.listeners.push(listener);
  }

  async tell(resource: Resource, tx: Transaction): Promise<void> {
    for (const listener of this.listeners) await listener(resource, tx);
  }
}
