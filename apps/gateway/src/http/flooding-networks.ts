import { LRUCache } from 'lru-cache';
import { clientNetwork } from '../access/client-address.js';

const WINDOW_MS = 10_000;
const MAX_FLOODS = 3;

/** Networks that are remembered at once; those that were quiet for longest are forgotten first. */
const MAX_NETWORKS = 20_000;

/** Counts the connections that were hung up on because of what they sent, by the network of the client. */
export class FloodingNetworks {
  private readonly floods = new LRUCache<string, number>({ max: MAX_NETWORKS, ttl: WINDOW_MS });

  /** @param onFlooding called with a network once it floods */
  constructor(private readonly onFlooding: (network: string) => void) {}

  note(address = ''): void {
    const network = clientNetwork(address);
    const floods = (this.floods.get(network) ?? 0) + 1;
    this.floods.set(network, floods, { noUpdateTTL: true });
    if (floods === MAX_FLOODS) this.onFlooding(network);
  }

  /** Whether so many of its connections flooded us that further ones are not taken for some seconds. */
  isFlooding(network: string): boolean {
    return (this.floods.get(network) ?? 0) >= MAX_FLOODS;
  }
}
