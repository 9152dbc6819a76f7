import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine reaches what listens on a host. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The same of the name in a URL, where an IPv6 address is in brackets. */
export const isLoopbackName = (hostname: string): boolean => isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
