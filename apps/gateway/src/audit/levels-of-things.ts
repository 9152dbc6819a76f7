import { type AccessBounds, AppError, getApiKey, getWebhook, listApiKeys } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { type NamedThing } from '../access/access.decorator.js';

/** As many as one request may list. */
const KEYS_PER_PAGE = 1_000;

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
      return thing === 'api-key'
        ? await this.ofKey(within, id)
        : (await this.rpc.call(getWebhook, { within, id })).bounds;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }

  private async ofKey(within: AccessBounds, id: string): Promise<AccessBounds | undefined> {
    try {
      return (await this.rpc.call(getApiKey, { within, id })).bounds;
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'unavailable')) throw error;
      return this.ofListedKey(within, id);
    }
  }

  /** While processes are replaced, those of the version before list keys, and do not answer for one. */
  private async ofListedKey(within: AccessBounds, id: string): Promise<AccessBounds | undefined> {
    for (let offset = 0; ; offset += KEYS_PER_PAGE) {
      const { keys, total } = await this.rpc.call(listApiKeys, { within, offset, limit: KEYS_PER_PAGE });
      const found = keys.find((key) => key.id === id);
      if (found || offset + KEYS_PER_PAGE >= total) return found?.bounds;
    }
  }
}
