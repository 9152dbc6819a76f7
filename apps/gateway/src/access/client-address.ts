import { EnvError } from '@loci/platform';
import ipaddr from 'ipaddr.js';
import { type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Names that Fastify knows for ranges of addresses. */
const RANGE_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Some proxies write the port of the client behind its address. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

/** An IPv6 customer gets a network of this many bits, and may use any address in it. */
const IPV6_NETWORK_BITS = 64;

/**
 * Whose `x-forwarded-for` is believed, as the option `trustProxy` of Fastify takes it.
 * @param setting addresses, networks (`10.0.0.0/8`), `loopback`, `linklocal`, `uniquelocal`, separated by commas
 * @throws EnvError naming the entry that is none of them
 */
export function trustedProxies(setting: string): string[] | false {
  const entries = setting.split(',').map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== '');
  for (const entry of named) {
    if (RANGE_NAMES.has(entry) || ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry)) continue;
    throw new EnvError(
      `TRUSTED_PROXIES: "${entry}" is neither an address, nor a network like 10.0.0.0/8, nor one of ${[...RANGE_NAMES].join(', ')}.`,
    );
  }
  return named.length > 0 && named;
}

/**
 * The IP address that a request comes from: of the connection, or behind trusted proxies (`TRUSTED_PROXIES`) what the
 * outermost of them wrote into `x-forwarded-for`. Always an IP address: where a header has something else, the address of
 * the proxy that passed it on. IPv4 addresses that are written as IPv6 are IPv4.
 */
export function clientAddress({ ip, ips }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const hops = (ips ?? [ip]).map(parsed);
  return hops.findLast((address) => address !== undefined) ?? ip;
}

/**
 * What a client can easily use all addresses of: an IPv4 address alone, the /64 network of an IPv6 one. For counting.
 * @param address from `clientAddress`
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(address)}/${IPV6_NETWORK_BITS}`).toString()}/${IPV6_NETWORK_BITS}`;
}

/** Clients send many requests, and reading an address takes longer than most that is done for one. */
const readBefore = new LRUCache<string, string>({ max: 1_000 });

function parsed(text: string): string | undefined {
  const known = readBefore.get(text);
  if (known !== undefined) return known;
  const address = normalized(text);
  if (address !== undefined) readBefore.set(text, address);
  return address;
}

function normalized(text: string): string | undefined {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = withoutZone(v4 ?? v6 ?? text);
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
    ? ipaddr.process(address).toString()
    : undefined;
}

const withoutZone = (address: string): string => address.split('%', 1)[0] ?? address;
