import { clientNetwork } from '../access/client-address.js';
import { NetworkCounts } from '../access/network-counts.js';

const WINDOW_MS = 10_000;
const MAX_FLOODS = 3;

/** Counts the connections that were hung up on because of what they sent, by the network of the client. */
export class FloodingNetworks {
  private readonly floods = new NetworkCounts(WINDOW_MS);

  /** @param onFlooding called with a network once it floods */
  constructor(private readonly onFlooding: (network: string) => void) {}

  note(address = ''): void {
    const network = clientNetwork(address);
    if (this.floods.add(network) === MAX_FLOODS) this.onFlooding(network);
  }

  /** Whether so many of its connections flooded us that further ones are not taken for some seconds. */
  isFlooding(network: string): boolean {
    return this.floods.of(network) >= MAX_FLOODS;
  }
}
