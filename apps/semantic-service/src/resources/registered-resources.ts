import { listResources, type ResourceKind } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';

/** Which models there are. Config-service itself is asked, so that one that was added a moment ago is among them. */
@Injectable()
export class RegisteredResources {
  constructor(private readonly rpc: RpcClient) {}

  /** @throws AppError `service_unavailable` */
  async has(kind: ResourceKind, name: string): Promise<boolean> {
    const { resources } = await this.rpc.call(listResources, {});
    return resources.some((resource) => resource.kind === kind && resource.name === name);
  }
}
