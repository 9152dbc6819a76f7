import { type ModelUsage } from '@loci/models';

/** Who pays for a call. */
export interface UsageOwner {
  readonly orgId: string;
  readonly projectUid: string | undefined;
}

export interface UsageOfDay extends ModelUsage {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly model: string;
  readonly calls: number;
}

/** What calls of models cost, by day. */
export abstract class UsageRepository {
  abstract add(owner: UsageOwner, model: string, usage: ModelUsage): Promise<void>;

  /** Of one project, or of what belongs to its organization as a whole; newest day first. */
  abstract list(owner: UsageOwner, days: number): Promise<UsageOfDay[]>;
}
