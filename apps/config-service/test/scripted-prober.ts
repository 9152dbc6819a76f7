import { type ResourceDefinition } from '../src/resources/resource.js';
import { type ProbeResult, ResourceProber } from '../src/resources/resource-prober.js';

type Script = (resource: ResourceDefinition, signal: AbortSignal) => ProbeResult | Promise<ProbeResult>;

/** Stands for every provider. */
export class ScriptedProber extends ResourceProber {
  /** The names of what was probed, in sequence. */
  readonly probed: string[] = [];
  script: Script = () => ({ ok: true });

  override async probe(
    resource: ResourceDefinition,
    _all: readonly ResourceDefinition[],
    signal: AbortSignal,
  ): Promise<ProbeResult> {
    this.probed.push(resource.name);
    return this.script(resource, signal);
  }
}

/** A provider that never answers. */
export const hangs: Script = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
