/** A digest of what a request asks for, by which a repetition is told from another request with the same key. */
import { createHash, hash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import type { Context } from 'koa';
import { hasBody } from '../body.ts';
import { discardRest } from '../discard-rest.ts';
import type { BodyWatch } from '../state.ts';

/** 132 bits, in characters. */
const DIGEST_LENGTH = 22;
/** Bodies of up to so many bytes are hashed at once, which takes a third of the time. */
const AT_ONCE = 64 * 1024;

/** Headers that change what a request asks for. */
const HEADERS = ['if-match', 'if-none-match', 'strapi-response-format'];

const BOUNDARY = /^multipart\/form-data\b.*\bboundary=(?:"(?<quoted>[^"]+)"|(?<bare>[^;\s]+))/iu;

/** What separates the parts of a form: random, so a repetition has another one. */
function boundaryOf({ headers }: Context['req']): Buffer | undefined {
  const { quoted, bare } = BOUNDARY.exec(headers['content-type'] ?? '')?.groups ?? {};
  const boundary = quoted ?? bare;
  return boundary === undefined ? undefined : Buffer.from(boundary);
}

/** The digest of a request, which is known once its body has been read. `secret` keeps it from being guessed. */
export class Payload implements BodyWatch {
  readonly #ctx: Context;
  /** What is hashed before the body. */
  readonly #start: Buffer;
  /** The body so far, unless it has been hashed. */
  #held: Uint8Array[] = [];
  #hash: Hash | undefined;
  readonly #boundary: Buffer | undefined;
  /** The last bytes, with which a boundary may begin. */
  #rest: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #isComplete: boolean;
  #text: string | undefined;

  constructor(ctx: Context, secret: Buffer) {
    this.#ctx = ctx;
    this.#boundary = boundaryOf(ctx.req);
    this.#isComplete = !hasBody(ctx);
    const { headers } = ctx.req;
    const head = [ctx.querystring, ...HEADERS.map((name) => headers[name] ?? '')];
    this.#start = Buffer.concat([secret, Buffer.from(JSON.stringify(head))]);
  }

  /** Whether the whole body has been read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The digest. Nothing may be read afterwards. */
  get text(): string {
    return (this.#text ??= `${this.#bytes} ${this.#digest().slice(0, DIGEST_LENGTH)}`);
  }

  update(chunk: Uint8Array): void {
    if (!this.#boundary) {
      this.#add(chunk);
      return;
    }
    let data: Buffer = Buffer.concat([this.#rest, chunk]);
    for (let at = data.indexOf(this.#boundary); at >= 0; at = data.indexOf(this.#boundary)) {
      this.#add(data.subarray(0, at));
      data = data.subarray(at + this.#boundary.length);
    }
    const end = Math.max(0, data.length - this.#boundary.length + 1);
    this.#add(data.subarray(0, end));
    this.#rest = Buffer.from(data.subarray(end));
  }

  end(): void {
    this.#add(this.#rest);
    this.#rest = Buffer.alloc(0);
    this.#isComplete = true;
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#held.push(bytes);
    if (!this.#hash && this.#bytes <= AT_ONCE) return;
    this.#hash ??= createHash('sha256').update(this.#start);
    for (const part of this.#held) this.#hash.update(part);
    this.#held = [];
  }

  #digest(): string {
    if (this.#hash) return this.#hash.digest('base64url');
    return hash('sha256', Buffer.concat([this.#start, ...this.#held]), 'base64url');
  }

  /** Reads the body, and compares the whole with the digest of another request: no further than that may be equal. */
  async equals(other: string): Promise<boolean> {
    const { req } = this.#ctx;
    const most = Number.parseInt(other, 10);
    if (most > 0 && !this.#isComplete) {
      const ended = once(req, 'end').then(() => this.end());
      const longer = new Promise<void>((resolve) => {
        req.on('data', (chunk: Buffer) => {
          this.update(chunk);
          if (this.#bytes > most) resolve();
        });
      });
      await Promise.race([ended, longer]);
    }
    discardRest(req);
    return this.text === other;
  }
}
