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

const hashes = new WeakMap<Permissions, string>();

function hashOf(permissions: Permissions): string {
  const known = hashes.get(permissions);
  if (known !== undefined) return known;
  const hashed = hash('sha256', [...permissions].sort().join());
  hashes.set(permissions, hashed);
  return hashed;
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

  function encrypted(subject: string, version: number): string {
    const block = hash('sha256', subject, 'buffer').subarray(0, BLOCK);
    block.writeUIntBE(version, 0, VERSION);
    return cipher.update(block).toString('base64url');
  }

  return {
    write(path, version, permissions = NO_PERMISSIONS) {
      const subject = `${hashOf(permissions)} ${path}`;
      if (path.length > LONGEST) return encrypted(subject, version);
      const known = written.get(subject);
      if (known?.version === version) return known.text;
      const text = encrypted(subject, version);
      written.set(subject, { version, text });
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
