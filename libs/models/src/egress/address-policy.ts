import ipaddr from 'ipaddr.js';
import { carriedIpv4 } from './carried-ipv4.js';
import { type EgressPolicy } from './egress-policy.js';

/** An address that models may not be reached at; the message says why. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefusedError';
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Metadata services of clouds that have addresses outside link-local. */
const METADATA = new Set([
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

const PRIVATE_RANGES = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** IPv6 addresses of the internet are in here so far (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Why an address is refused, or undefined when it is allowed. @param text an IPv4 or IPv6 address */
export function refusalOf(text: string, policy: EgressPolicy): string | undefined {
  if (!ipaddr.isValid(text)) return 'it is not an IP address';
  // a zone says through which interface an address is reached, not which address it is
  const address = ipaddr.process(text.replace(/%.*$/, ''));
  const carried = carriedIpv4(address);
  if (!carried) return refusalOfBare(address, policy);
  const refusal = refusalOfBare(carried.address, policy);
  return refusal ?? (carried.isReachable ? undefined : NOT_A_HOST);
}

const NOT_A_HOST = 'it is not the address of a host on the internet';

function refusalOfBare(address: Address, { allowPrivate }: EgressPolicy): string | undefined {
  const range = address.range();
  if (METADATA.has(address.toString())) return 'it is a metadata service of a cloud';
  if (range === 'linkLocal') return 'it is a link-local address, such as those of metadata services';
  if (PRIVATE_RANGES.has(range)) {
    return allowPrivate
      ? undefined
      : 'it is a loopback or private address; EGRESS_ALLOW_PRIVATE=true allows these';
  }
  const isOfInternet = range === 'unicast' && (isIpv4(address) || address.match(GLOBAL_UNICAST));
  return isOfInternet ? undefined : NOT_A_HOST;
}

const isIpv4 = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';
