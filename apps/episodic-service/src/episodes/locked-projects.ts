import { type Tenant, tenantName } from '@loci/contracts';

/**
 * What waits for the locks of projects, in a line of each project: what is for the same project stays in its sequence, and
 * waits for no other one.
 */
export class LockedProjects<Item extends { readonly tenant: Tenant }> {
  private readonly lines = new Map<string, Item[]>();

  /** @param workOff takes some items away from the beginning of a line; it must not fail */
  constructor(private readonly workOff: (line: Item[]) => Promise<void>) {}

  /** Puts an item behind those of its project. @returns false when none of them waits */
  join(item: Item): boolean {
    const line = this.lines.get(tenantName(item.tenant));
    line?.push(item);
    return line !== undefined;
  }

  add(item: Item): void {
    if (this.join(item)) return;
    const line = [item];
    this.lines.set(tenantName(item.tenant), line);
    // those of its project that come in this turn share its work
    setImmediate(() => void this.serve(tenantName(item.tenant), line));
  }

  private async serve(name: string, line: Item[]): Promise<void> {
    while (line.length > 0) await this.workOff(line);
    this.lines.delete(name);
  }
}
