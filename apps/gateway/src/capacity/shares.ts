/** Whose something is. */
export interface Owner {
  readonly org: string;
  /** Unique among the keys of all organizations. */
  readonly key: string;
}

/** Whose share is used up: that of the key, of its organization, or all that the process has. */
export type Level = 'key' | 'organization' | 'process';

export interface ShareOptions<Resource extends string> {
  /** How much of each resource the process has. */
  readonly total: Readonly<Record<Resource, number>>;
  /** How much of it one organization may have at most, from 0 to 1. */
  readonly organization: number;
  /** How much of it one key may have at most, from 0 to 1. */
  readonly key: number;
}

type Amounts<Resource extends string> = Readonly<Record<Resource, number>>;
type Used<Resource extends string> = Record<Resource, number>;

/** Counts who uses how much of what a process has. Owners that use nothing are not remembered. */
export class Shares<Resource extends string> {
  private readonly resources: readonly Resource[];
  private readonly nothing: Amounts<Resource>;
  private readonly all: Used<Resource>;
  private readonly byOrganization = new Map<string, Used<Resource>>();
  private readonly byKey = new Map<string, Used<Resource>>();

  constructor(private readonly options: ShareOptions<Resource>) {
    this.resources = Object.keys(options.total) as Resource[];
    this.nothing = Object.fromEntries(this.resources.map((resource) => [resource, 0])) as Used<Resource>;
    this.all = { ...this.nothing };
  }

  get used(): Amounts<Resource> {
    return this.all;
  }

  /**
   * Whose share is too small for more. Where nothing else uses a resource, any amount of it may be had: what is larger than
   * a share is not refused for ever.
   * @param own of what is used: what the one that asks for more has already
   * @returns undefined when there is enough
   */
  lacking(
    { org, key }: Owner,
    more: Partial<Amounts<Resource>>,
    own: Partial<Amounts<Resource>> = {},
  ): Level | undefined {
    const { options } = this;
    if (this.exceeds(this.byKey.get(key), { more, own, share: options.key })) return 'key';
    if (this.exceeds(this.byOrganization.get(org), { more, own, share: options.organization }))
      return 'organization';
    return this.exceeds(this.all, { more, own, share: 1 }) ? 'process' : undefined;
  }

  /** Whether a key has something of it. */
  isUsedBy(key: string): boolean {
    return this.byKey.has(key);
  }

  /** Takes more, whether or not there is enough; negative amounts give back. */
  take({ org, key }: Owner, more: Partial<Amounts<Resource>>): void {
    this.add(this.all, more);
    this.addTo(this.byOrganization, org, more);
    this.addTo(this.byKey, key, more);
  }

  private exceeds(
    used: Amounts<Resource> | undefined,
    {
      more,
      own,
      share,
    }: { more: Partial<Amounts<Resource>>; own: Partial<Amounts<Resource>>; share: number },
  ): boolean {
    for (const resource of this.resources) {
      const wanted = more[resource] ?? 0;
      if (wanted <= 0) continue;
      const total = this.options.total[resource];
      const before = used?.[resource] ?? 0;
      if (total === 0) return true;
      if (before > (own[resource] ?? 0) && before + wanted > total * share) return true;
    }
    return false;
  }

  private addTo(owners: Map<string, Used<Resource>>, id: string, more: Partial<Amounts<Resource>>): void {
    const known = owners.get(id);
    const used = known ?? { ...this.nothing };
    this.add(used, more);
    if (this.isNothing(used)) owners.delete(id);
    else if (!known) owners.set(id, used);
  }

  private add(used: Used<Resource>, more: Partial<Amounts<Resource>>): void {
    for (const resource of this.resources) used[resource] += more[resource] ?? 0;
  }

  private isNothing(used: Amounts<Resource>): boolean {
    for (const resource of this.resources) if (used[resource] !== 0) return false;
    return true;
  }
}
