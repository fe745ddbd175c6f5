/** The rows of keys: what was asked with them, and how it was answered. */
import { type Database, UniqueViolation } from '../../database/database.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';

const TABLE = 'idempotency_keys';

/** For how long keys are kept, in milliseconds. */
const KEPT = 24 * 3_600_000;
/** How often expired rows are deleted, in milliseconds, and how many at a time. */
const PRUNE_INTERVAL = 10 * 60_000;
const PRUNED_AT_ONCE = 1000;
/** In characters: longer answers are not kept. */
const MAX_BODY = 1024 * 1024;

export interface KeptAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: string;
}

export interface KeyRow {
  readonly payload: string;
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Undefined if it is not known, or too long. */
  readonly answer: KeptAnswer | undefined;
}

type NewRow = Omit<KeyRow, 'since'>;

export interface KeyRows {
  /** Undefined if there is none, or if it has expired. */
  find(name: string): Promise<KeyRow | undefined>;
  /** The statement that inserts a row. It fails if there is one. */
  insertion(name: string, row: NewRow): Statement;
  /** Inserts a row; returns false if there is one. */
  add(name: string, row: NewRow): Promise<boolean>;
  /** Stores the answer of an existing row. */
  answer(name: string, answer: KeptAnswer): Promise<void>;
  /** Whether an insertion failed because there is a row. */
  isTaken(error: unknown): boolean;
}

/** The values of the columns `status`, `etag` and `body`. */
function valuesOf(answer: KeptAnswer | undefined): readonly [number | null, string | null, string | null] {
  if (!answer || answer.body.length > MAX_BODY) return [null, null, null];
  return [answer.status, answer.etag ?? null, answer.body];
}

export function keyRows(database: Database, clock: () => number = Date.now): KeyRows {
  const table = raw(TABLE);
  let prunedAt = 0;

  /** Rows are in the order of their times, but for those of clocks that differ. */
  async function prune(): Promise<void> {
    const expired = clock() - KEPT;
    for (let from = 0; ;) {
      const last = await database.get(
        sql`SELECT id, since FROM ${table} WHERE id > ${from} ORDER BY id LIMIT 1 OFFSET ${PRUNED_AT_ONCE - 1}`,
      );
      const part = last ? sql`id > ${from} AND id <= ${Number(last['id'])}` : sql`id > ${from}`;
      await database.run(deleteRows(table, sql`${part} AND since < ${expired}`));
      if (!last || Number(last['since']) >= expired) return;
      from = Number(last['id']);
    }
  }

  function insertion(name: string, { payload, answer }: NewRow): Statement {
    const [status, etag, body] = valuesOf(answer);
    return statement(
      sql`INSERT INTO ${table} (request_key, payload, since, status, etag, body) VALUES (${name}, ${payload}, ${clock()}, ${status}, ${etag}, ${body})`,
    );
  }

  const isTaken = (error: unknown): boolean => error instanceof UniqueViolation && error.table === TABLE;

  return {
    async find(name) {
      if (clock() - prunedAt > PRUNE_INTERVAL) {
        prunedAt = clock();
        // What is left over is pruned the next time.
        prune().catch(() => undefined);
      }
      const row = await database.get(
        sql`SELECT payload, since, status, etag, body FROM ${table} WHERE request_key = ${name}`,
      );
      if (!row) return undefined;
      const since = Number(row['since']);
      if (since < clock() - KEPT) {
        await database.run(deleteRows(table, sql`request_key = ${name} AND since = ${since}`));
        return undefined;
      }
      const { status, etag, body } = row;
      const isAnswered = status !== null && status !== undefined;
      return {
        payload: String(row['payload']),
        since,
        answer: isAnswered
          ? { status: Number(status), etag: typeof etag === 'string' ? etag : undefined, body: String(body ?? '') }
          : undefined,
      };
    },
    insertion,
    async add(name, row) {
      try {
        await database.run(insertion(name, row).sql);
        return true;
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
    },
    async answer(name, answer) {
      const [status, etag, body] = valuesOf(answer);
      await database.run(
        sql`UPDATE ${table} SET status = ${status}, etag = ${etag}, body = ${body} WHERE request_key = ${name}`,
      );
    },
    isTaken,
  };
}
