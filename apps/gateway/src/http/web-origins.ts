import { EnvError, isLoopbackName } from '@loci/platform';
import { LRUCache } from 'lru-cache';

/** Which names and which web pages a gateway serves. */
export class WebOrigins {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;
  /** `Host` headers that were served: clients send the same ones with each request. */
  private readonly servedHosts = new LRUCache<string, true>({ max: 1_000 });

  /**
   * @param hosts names without a port, separated by commas
   * @param origins as browsers send them (`https://console.example.com`), separated by commas
   * @throws EnvError naming the entry that does not fit
   */
  constructor(hosts: string, origins: string) {
    this.hosts = new Set(entriesOf(hosts).map(hostOf));
    this.origins = new Set(entriesOf(origins).map(originOf));
  }

  /** Whether pages of any origin may read answers at all. */
  get hasOrigins(): boolean {
    return this.origins.size > 0;
  }

  /** @param host a `Host` header */
  servesHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (this.servedHosts.has(host)) return true;
    const name = hostnameIn(host);
    const isServed = name !== undefined && this.isLocal(name);
    if (isServed) this.servedHosts.set(host, true);
    return isServed;
  }

  /** Whether a page of this origin may send requests where no authentication is required. */
  servesOrigin(origin: string): boolean {
    if (this.listsOrigin(origin)) return true;
    const name = URL.canParse(origin) ? new URL(origin).hostname : undefined;
    return name !== undefined && this.isLocal(name);
  }

  /** Whether a page of this origin may read answers. */
  listsOrigin(origin: string): boolean {
    return this.origins.has(origin.toLowerCase());
  }

  private isLocal(name: string): boolean {
    return this.hosts.has(name) || isLoopbackName(name);
  }
}

const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');

/** The name in a `Host` header, as URLs write it; undefined when the header is anything else. */
function hostnameIn(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname;
}

function hostOf(entry: string, index: number): string {
  const name = hostnameIn(entry);
  if (name !== undefined && name === entry) return name;
  throw new EnvError(`ALLOWED_HOSTS: entry ${index + 1} is not the name of a host without a port.`);
}

function originOf(entry: string, index: number): string {
  if (URL.canParse(entry) && new URL(entry).origin === entry) return entry;
  throw new EnvError(
    `ALLOWED_ORIGINS: entry ${index + 1} is not an origin like https://console.example.com.`,
  );
}
