import { type Servers } from '@loci/runtime';

interface SharedServers {
  readonly servers: Servers;
  readonly dataDir: string;
}

/** Jest loads set-up and tear-down as separate modules: only the global object is common to them. */
const shared = globalThis as { lociServers?: SharedServers | undefined };

export const rememberServers = (servers: SharedServers): void => {
  shared.lociServers = servers;
};

export function forgetServers(): SharedServers | undefined {
  const servers = shared.lociServers;
  shared.lociServers = undefined;
  return servers;
}
