import { AppError, listEpisodes, type Tenant } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { episodesOf } from './context-scope.js';

export const isUnknownSubject = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unknown_subject';

/** Users who said something of which nothing was learned yet, or nothing is to be learned. */
@Injectable()
export class SpokenUsers {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * The answer; of a user who has spoken, and of whom nothing is known, the one for that.
   * @throws AppError `unknown_subject` for a user who has not spoken either
   */
  async orElse<Answer>(
    { tenant, user }: { readonly tenant: Tenant; readonly user: string | undefined },
    ask: () => Promise<Answer>,
    nothingKnown: Answer,
  ): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (user === undefined || !isUnknownSubject(error)) throw error;
      if (!(await this.hasSpoken(tenant, user))) throw error;
      return nothingKnown;
    }
  }

  /** Looked for only where semantic memory knows no user of that name: it reads as much as a list by this filter does. */
  private async hasSpoken(tenant: Tenant, user: string): Promise<boolean> {
    const request = { tenant, pageSize: 1, pageNum: 0, filter: episodesOf({ user }) };
    return (await this.rpc.call(listEpisodes, request)).episodes.length > 0;
  }
}
