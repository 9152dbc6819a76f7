import { type Owner, type Scope } from '../../projects/project.js';

/** What was asked of a model in one go: a call, its repair included. */
export interface UsageCount {
  /** Replies of the provider, also those that were of no use. */
  readonly calls: number;
  /** 1 when nothing usable came in the end. */
  readonly failures: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined for a model without prices. */
  readonly cost: number | undefined;
}

export interface UsageOfDay extends UsageCount {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly model: string;
  readonly isOrgLevel: boolean;
}

/** What calls of models cost, by day. */
export abstract class UsageRepository {
  /** @param owner who pays: the project, or its organization as a whole when there is none */
  abstract add(owner: Owner, model: string, usage: UsageCount): Promise<void>;

  /** Of the project and of its organization as a whole; newest day first. */
  abstract list(scope: Scope, days: number): Promise<UsageOfDay[]>;
}
