import { randomUUID } from 'node:crypto';
import { getApiKeyTagKey } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { RequestContext } from '@loci/platform';

/** A secret of the gateways of a deployment. It never changes, so it is asked for once. */
export class TagKey {
  private asked: Promise<Uint8Array> | undefined;

  constructor(private readonly rpc: Pick<RpcClient, 'call'>) {}

  /** @throws AppError `service_unavailable` and the like while it is not known */
  get(): Promise<Uint8Array> {
    // apart from the request that happens to be first: its deadline is not that of the others
    this.asked ??= RequestContext.run({ requestId: randomUUID() }, () =>
      this.rpc.call(getApiKeyTagKey, {}),
    ).then(
      ({ key }) => Buffer.from(key, 'base64'),
      (error: unknown) => {
        this.asked = undefined;
        throw error;
      },
    );
    return this.asked;
  }
}
