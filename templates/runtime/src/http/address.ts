/** The address of a caller, as limits count it. */
import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS = 8;
/** Whoever has one IPv6 address usually has all of its /64. */
const NETWORK_GROUPS = 4;

/** The groups of a part of an IPv6 address that has no `::` in it. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}

/** An IPv4 address as it is, also where it is written as IPv6; of any other IPv6 address its first 64 bits. */
export function normaliseAddress(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  // An IPv4 address at the end stands for two groups; it is never among the first four.
  const written = first.length + last.length + (plain.includes('.') ? 1 : 0);
  const between = tail === undefined ? [] : Array.from({ length: GROUPS - written }, () => '0');
  const network = [...first, ...between, ...last].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
