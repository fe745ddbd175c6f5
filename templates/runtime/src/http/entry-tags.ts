/**
 * Versions of entries in ETags, which only this server can read. A number would tell how often something hidden has changed, such as
 * the list of drafts that refer to an entry. A version is one encrypted block: the number, and a hash of the path and of the caller's
 * permissions, so that equal numbers look different for each entry and each role.
 */
import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../contract/policy/caller.ts';

const CIPHER = 'aes-128-ecb';
const BLOCK = 16;
/** In bytes; the rest of the block is a hash. */
const VERSION = 6;
/** Where a tag starts with a version: at its end, or before the part that identifies the answer. */
const VERSIONED = /^[\w-]{22}(?=\.|$)/u;

type Permissions = Caller['permissions'];

export interface EntryTags {
  /** A version of what is at `path`, as 22 characters. 0: nothing has this version, so that only `path` is hashed. */
  write(path: string, version: number, permissions?: Permissions): string;
  /** The version that a tag starts with; undefined if there is none. One of another server is a number that no entry has. */
  versionOf(tag: string): number | undefined;
}

/** How many versions are remembered as they are written, the last of each path, and the longest path of one, in characters. */
const MAX_KNOWN = 5000;
const LONGEST = 200;

/** Permissions as a hash, and as a number that this process gives them. */
interface Known {
  readonly hash: string;
  readonly number: number;
}

const knownPermissions = new WeakMap<Permissions, Known>();
let count = 0;

function knownOf(permissions: Permissions): Known {
  const known = knownPermissions.get(permissions);
  if (known) return known;
  const made = { hash: hash('sha256', [...permissions].sort().join()), number: (count += 1) };
  knownPermissions.set(permissions, made);
  return made;
}

const NO_PERMISSIONS: Permissions = new Set();

/** `name` is the name of the project, `secret` one that all instances share. */
export function createEntryTags({ name, secret }: { readonly name: string; readonly secret: string }): EntryTags {
  const key = createHmac('sha256', secret).update(`entry tags of ${name}`).digest().subarray(0, BLOCK);
  // Single blocks, each of which is independent of those before it.
  const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false);
  const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false);
  // Hashing and encrypting take a tenth of reading an entry.
  const written = new LRUCache<string, { readonly version: number; readonly text: string }>({ max: MAX_KNOWN });

  function write(path: string, version: number, hashed: string): string {
    const block = hash('sha256', `${hashed} ${path}`, 'buffer').subarray(0, BLOCK);
    block.writeUIntBE(version, 0, VERSION);
    return cipher.update(block).toString('base64url');
  }

  return {
    write(path, version, permissions = NO_PERMISSIONS) {
      const by = knownOf(permissions);
      if (path.length > LONGEST) return write(path, version, by.hash);
      const key = `${by.number} ${path}`;
      const found = written.get(key);
      if (found?.version === version) return found.text;
      const text = write(path, version, by.hash);
      written.set(key, { version, text });
      return text;
    },
    versionOf(tag) {
      const block = VERSIONED.exec(tag)?.[0];
      if (block === undefined) return undefined;
      const version = decipher.update(Buffer.from(block, 'base64url')).readUIntBE(0, VERSION);
      return version === 0 ? undefined : version;
    },
  };
}
