import { type AccessBounds, AppError, getApiKey, getWebhook } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { type NamedThing } from '../access/access.decorator.js';

/** Knows which organization and project things belong to, as far as a caller may know it. */
export class LevelsOfThings {
  constructor(private readonly rpc: Pick<RpcClient, 'call'>) {}

  /**
   * @param within the bounds of the caller
   * @returns undefined where there is no such thing within them
   * @throws AppError what the service says that cannot tell at the moment
   */
  async of(thing: NamedThing, id: string, within: AccessBounds): Promise<AccessBounds | undefined> {
    // nothing is below a project
    if (within.projectId !== undefined) return within;
    try {
      const request = { within, id };
      const found =
        thing === 'api-key'
          ? await this.rpc.call(getApiKey, request)
          : await this.rpc.call(getWebhook, request);
      return found.bounds;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }
}
