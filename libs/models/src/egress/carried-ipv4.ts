import ipaddr from 'ipaddr.js';

interface Form {
  /** Whether bytes of an IPv6 address have this form. */
  readonly is: (bytes: readonly number[]) => boolean;
  readonly ipv4In: (bytes: readonly number[]) => readonly number[];
  /** Whether hosts of the internet are reached in this form; the others are tunnels, or given up. */
  readonly isReachable: boolean;
}

const at =
  (start: number) =>
  (bytes: readonly number[]): readonly number[] =>
    bytes.slice(start, start + 4);

const begins =
  (...prefix: readonly number[]) =>
  (bytes: readonly number[]): boolean =>
    prefix.every((byte, position) => bytes[position] === byte);

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

/** A `::1` or `::` is no IPv4 address in another form. */
const isCompatible = (bytes: readonly number[]): boolean =>
  begins(...zeros(12))(bytes) && at(12)(bytes).some((byte, position) => position < 3 && byte !== 0);

const isIsatap = (bytes: readonly number[]): boolean =>
  (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;

/** IPv4-mapped addresses are IPv4 already when they are parsed. */
const FORMS: readonly Form[] = [
  // NAT64, RFC 6052
  { is: begins(0, 0x64, 0xff, 0x9b, ...zeros(8)), ipv4In: at(12), isReachable: true },
  // 6to4, RFC 3056
  { is: begins(0x20, 0x02), ipv4In: at(2), isReachable: false },
  // Teredo, RFC 4380: the address of the client, inverted
  {
    is: begins(0x20, 0x01, 0, 0),
    ipv4In: (bytes) => at(12)(bytes).map((byte) => byte ^ 0xff),
    isReachable: false,
  },
  // IPv4-translated, RFC 2765
  { is: begins(...zeros(8), 0xff, 0xff, 0, 0), ipv4In: at(12), isReachable: false },
  // IPv4-compatible, RFC 4291
  { is: isCompatible, ipv4In: at(12), isReachable: false },
  // ISATAP, RFC 5214
  { is: isIsatap, ipv4In: at(12), isReachable: false },
];

/** The IPv4 address that an IPv6 address stands for, if it does. */
export function carriedIpv4(
  address: ipaddr.IPv4 | ipaddr.IPv6,
): { readonly address: ipaddr.IPv4; readonly isReachable: boolean } | undefined {
  if (address.kind() !== 'ipv6') return undefined;
  const bytes = address.toByteArray();
  const form = FORMS.find(({ is }) => is(bytes));
  return form && { address: new ipaddr.IPv4([...form.ipv4In(bytes)]), isReachable: form.isReachable };
}
