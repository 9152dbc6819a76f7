import { type ResourceDefinition } from './resource.js';

export type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Asks the provider of a resource whether it serves us. */
export abstract class ResourceProber {
  /**
   * Makes one real, minimal request.
   * @param all every resource, for those that are made of others
   * @returns on failure a reason that a person can act on, without any secret
   */
  abstract probe(
    resource: ResourceDefinition,
    all: readonly ResourceDefinition[],
    signal: AbortSignal,
  ): Promise<ProbeResult>;
}
