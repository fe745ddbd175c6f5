/** IP addresses of clients, normalized for limits. */
import { isIP, isIPv6 } from 'node:net';
import type { Context } from 'koa';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS = 8;
/** A client usually controls the whole /64 of its IPv6 address. */
const NETWORK_GROUPS = 4;

/** An address with a port, as some proxies write it: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[\d.]+))(?::\d+)?$/u;

/**
 * The normalized address of a client. What a trusted proxy has passed on but is no address counts as the proxy: otherwise, each text
 * that a client makes up would have limits of its own.
 */
export function clientAddress({ ip, req }: Pick<Context, 'ip' | 'req'>): string {
  const { six, four } = WITH_PORT.exec(ip)?.groups ?? {};
  const address = [ip, six, four].find((text) => text !== undefined && isIP(text) !== 0);
  return normalizeAddress(address ?? req.socket.remoteAddress ?? '');
}

/** The groups of a part of an IPv6 address without `::`. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}

/** An IPv4 address unchanged, also if mapped to IPv6; the first 64 bits of any other IPv6 address. */
export function normalizeAddress(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  // A trailing IPv4 address stands for two groups, which are never among the first four.
  const written = first.length + last.length + (plain.includes('.') ? 1 : 0);
  const between = tail === undefined ? [] : Array.from({ length: GROUPS - written }, () => '0');
  const network = [...first, ...between, ...last].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
