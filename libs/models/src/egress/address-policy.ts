import ipaddr from 'ipaddr.js';
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

/** Why an address is refused, or undefined when it is allowed. @param text an IPv4 or IPv6 address */
export function refusalOf(text: string, { allowPrivate }: EgressPolicy): string | undefined {
  if (!ipaddr.isValid(text)) return 'it is not an IP address';
  const address = unwrapped(ipaddr.process(text));
  const range = address.range();
  if (METADATA.has(address.toString())) return 'it is a metadata service of a cloud';
  if (range === 'linkLocal') return 'it is a link-local address, such as those of metadata services';
  if (PRIVATE_RANGES.has(range)) {
    return allowPrivate
      ? undefined
      : 'it is a loopback or private address; EGRESS_ALLOW_PRIVATE=true allows these';
  }
  return range === 'unicast' ? undefined : 'it is not the address of a host on the internet';
}

/** The IPv4 address behind a NAT64 one. */
function unwrapped(address: Address): Address {
  if (address.kind() !== 'ipv6' || address.range() !== 'rfc6052') return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
