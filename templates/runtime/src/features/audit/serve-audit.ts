/** `GET /api/_audit`. */
import type { Context } from 'koa';
import type { AuditActor } from '../../contract/audit/audit-log.ts';
import { BadRequestError } from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import { PRIVATE } from '../../http/reply.ts';
import { type AuditFilter, findAudit } from './audit-rows.ts';

const STANDARD_SIZE = 25;
const LARGEST_SIZE = 100;
/** In characters, as the columns are. */
const LONGEST = 255;
const ACTOR = /^(?<kind>user|token|public|server|command)(?::(?<id>[1-9]\d{0,14}))?$/u;

function wrong(name: string, problem: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name}: ${problem}`);
}

/** Reads the parameters of a query; each may be there once. */
class Parameters {
  readonly #query: URLSearchParams;

  constructor({ querystring }: Pick<Context, 'querystring'>) {
    this.#query = new URLSearchParams(querystring);
  }

  text(name: string): string | undefined {
    const all = this.#query.getAll(name);
    if (all.length > 1) throw wrong(name, 'must be given once');
    const text = all[0] === '' ? undefined : all[0];
    if (text !== undefined && text.length > LONGEST) throw wrong(name, `must have at most ${LONGEST} characters`);
    return text;
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    if (text !== undefined && !/^[1-9]\d{0,14}$/u.test(text)) throw wrong(name, 'must be a positive number');
    return text === undefined ? undefined : Number(text);
  }

  time(name: string): number | undefined {
    const text = this.text(name);
    const time = text === undefined ? undefined : Date.parse(text);
    if (Number.isNaN(time)) throw wrong(name, 'must be a time in ISO 8601');
    return time;
  }

  actor(name: string): AuditActor | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const { kind, id } = ACTOR.exec(text)?.groups ?? {};
    if (kind === undefined) throw wrong(name, 'must be user:2, token:3, public, server or command');
    return { kind: kind as AuditActor['kind'], ...(id !== undefined && { id: Number(id) }) };
  }
}

export async function serveAudit(database: Database, ctx: Context): Promise<void> {
  const query = new Parameters(ctx);
  const filter: AuditFilter = {
    actor: query.actor('actor'),
    event: query.text('event'),
    type: query.text('type'),
    subjectId: query.number('id'),
    from: query.time('from'),
    to: query.time('to'),
  };
  if (filter.subjectId !== undefined && filter.type === undefined) throw wrong('id', 'needs type');
  const size = Math.min(query.number('pageSize') ?? STANDARD_SIZE, LARGEST_SIZE);
  const rows = await findAudit(database, filter, { before: query.number('after'), most: size + 1 });
  const page = rows.slice(0, size);
  const after = rows.length > size ? String(page.at(-1)?.id) : null;
  ctx.set('Cache-Control', PRIVATE);
  ctx.body = JSON.stringify({ data: page, meta: { after } });
}
