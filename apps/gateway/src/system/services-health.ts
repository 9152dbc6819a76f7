import { checkHealth, type ServiceName } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';

const SERVICES: readonly ServiceName[] = ['config', 'episodic', 'semantic'];

/** Requests that come more often than this get the last answer again. */
const CACHE_MS = 1_000;

/** Whether the services behind the gateway can do their work. */
@Injectable()
export class ServicesHealth {
  private cached: { readonly until: number; readonly failing: Promise<readonly string[]> } | undefined;

  constructor(private readonly rpc: RpcClient) {}

  /** @returns the services that can't, each with its reason; empty when all is well */
  failing(): Promise<readonly string[]> {
    const now = performance.now();
    if (!this.cached || now >= this.cached.until) {
      this.cached = { until: now + CACHE_MS, failing: this.askAll() };
    }
    return this.cached.failing;
  }

  private async askAll(): Promise<readonly string[]> {
    const answers = await Promise.all(SERVICES.map((service) => this.ask(service)));
    return answers.filter((answer) => answer !== undefined);
  }

  private async ask(service: ServiceName): Promise<string | undefined> {
    try {
      const { ready, failing } = await this.rpc.call(checkHealth(service), {});
      return ready ? undefined : `${service} (${failing.join(', ')})`;
    } catch {
      return `${service} (no answer)`;
    }
  }
}
