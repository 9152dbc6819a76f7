import {
  getRegistry,
  getRegistryRevision,
  registryChanged,
  type RegistrySnapshot,
  reportResource,
  type ResourceReport,
} from '@loci/contracts';
import { type NatsLink, type RpcClient } from '@loci/messaging';

/** Where the registry comes from. */
export interface RegistrySource {
  snapshot(): Promise<RegistrySnapshot>;
  revision(): Promise<number>;
  /** Tells that a ready resource keeps failing. */
  report(report: ResourceReport): Promise<void>;
  /** Calls back when there may be a newer revision. @returns how to stop that */
  onHint(listener: () => void): () => void;
}

/** config-service over NATS. */
export class RemoteRegistry implements RegistrySource {
  constructor(
    private readonly rpc: RpcClient,
    private readonly link: NatsLink,
  ) {}

  snapshot(): Promise<RegistrySnapshot> {
    return this.rpc.call(getRegistry, {});
  }

  async revision(): Promise<number> {
    return (await this.rpc.call(getRegistryRevision, {})).revision;
  }

  async report(report: ResourceReport): Promise<void> {
    await this.rpc.call(reportResource, report);
  }

  /** The subject of a stream is an ordinary subject too: every process hears it, and none needs a consumer of its own. */
  onHint(listener: () => void): () => void {
    const subscription = this.link.subscribe(registryChanged.subject, {
      onMessage: listener,
      onMissed: listener,
    });
    const forget = this.link.onReconnect(listener);
    return () => {
      forget();
      subscription.unsubscribe();
    };
  }
}
