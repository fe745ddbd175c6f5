/**
 * The ids of events: their positions, encrypted, so that they don't tell how many events a client was not told of. Two ids of one
 * position differ, so that neither does their change.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomFillSync } from 'node:crypto';

export interface EventIds {
  write(position: number): string;
  /** Undefined if the id is not of this server, or of another secret. */
  read(id: string): number | undefined;
}

/** One block: 8 bytes of the position, 4 that are random, and 4 that must be 0. */
const BLOCK = 16;
const ALGORITHM = 'aes-256-ecb';
const FORM = /^[\w-]{22}$/u;

export function createEventIds({ secret, name }: { readonly secret: string; readonly name: string }): EventIds {
  const key = Buffer.from(hkdfSync('sha256', secret, name, 'ids of events', 32));
  return {
    write(position) {
      const block = Buffer.alloc(BLOCK);
      block.writeBigUInt64BE(BigInt(position), 0);
      randomFillSync(block, 8, 4);
      const cipher = createCipheriv(ALGORITHM, key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
    },
    read(id) {
      if (!FORM.test(id)) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, null).setAutoPadding(false);
      const block = Buffer.concat([decipher.update(Buffer.from(id, 'base64url')), decipher.final()]);
      const position = Number(block.readBigUInt64BE(0));
      return block.readUInt32BE(12) === 0 && Number.isSafeInteger(position) ? position : undefined;
    },
  };
}
