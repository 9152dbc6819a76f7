import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { EgressRefusedError, refusalOf } from './address-policy.js';
import { type EgressPolicy } from './egress-policy.js';

/** Addresses of a host, as `dns.lookup` with `all`: beside an error there are no addresses, whatever its types say. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses?: readonly LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, done) => {
  systemLookup(hostname, { all: true }, done);
};

/**
 * A name without an address that is allowed. Where private addresses are refused it does not say why: what is known inside,
 * and leads there, is not told from what is known nowhere.
 */
export class HostNotFoundError extends Error {
  override readonly name = 'HostNotFoundError';
}

/**
 * A `lookup` for sockets that gives allowed addresses only. The socket connects to what it gives, so a name that
 * changes its address between check and connection gains nothing.
 */
export const guardedLookup =
  (policy: EgressPolicy, resolve: Resolve = systemResolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, (error, found = []) => {
      if (error) {
        callback(policy.allowPrivate ? error : notFound(hostname), '');
        return;
      }
      const wanted = found.filter(({ family }) => !options.family || familyOf(options.family) === family);
      const allowed = wanted.filter(({ address }) => refusalOf(address, policy) === undefined);
      const [first] = allowed;
      if (!first) callback(refusedName(hostname, wanted[0]?.address, policy), '');
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** Sockets don't look up an address, so a host that is one is checked here. */
export function refusalOfHost(hostname: string, policy: EgressPolicy): EgressRefusedError | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const isRefused = isIP(bare) > 0 && refusalOf(bare, policy) !== undefined;
  return isRefused ? refusedHost(hostname, bare, policy) : undefined;
}

const familyOf = (family: number | 'IPv4' | 'IPv6'): number =>
  typeof family === 'number' ? family : Number(family.at(-1));

const notFound = (hostname: string): HostNotFoundError =>
  new HostNotFoundError(`The name '${hostname}' leads to no address that is allowed.`);

const refusedName = (hostname: string, address: string | undefined, policy: EgressPolicy): Error =>
  policy.allowPrivate ? refusedHost(hostname, address, policy) : notFound(hostname);

function refusedHost(
  hostname: string,
  address: string | undefined,
  policy: EgressPolicy,
): EgressRefusedError {
  const reason = address === undefined ? 'it has no usable address' : refusalOf(address, policy);
  return new EgressRefusedError(`has the address '${hostname}', which is refused: ${reason ?? ''}`);
}
