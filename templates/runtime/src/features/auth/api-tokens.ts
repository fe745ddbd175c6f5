/** API tokens, which are stored hashed. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { type Columns, insertInto } from '../../write/columns.ts';
import { writeIfFound, type Writer } from '../../write/write-if-found.ts';
import type { Executor } from '../../database/executor.ts';
import { statement } from '../../database/write-plan.ts';
import { NewId } from '../../database/new-id.ts';
import { deleteRows, join, raw, sql } from '../../database/sql.ts';
import { type JsonColumns, readJsonRows } from './json-rows.ts';
import { createSecret, hashSecret } from './secrets.ts';

export const TOKEN_KINDS = ['full-access', 'read-only', 'custom'] as const;
type TokenKind = (typeof TOKEN_KINDS)[number];

/** Makes tokens recognizable for people and for secret scanners. */
const PREFIX = 'cgt_';

/** Times are in ISO 8601. */
export interface ApiToken {
  readonly id: number;
  readonly name: string;
  readonly kind: TokenKind;
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  /** The owner: the token is invalid once the user is blocked or deleted. Null: created on the command line. */
  readonly userId: number | null;
  /** Permissions of a custom token. */
  readonly permissions: readonly string[];
}

const COLUMNS: JsonColumns = {
  id: ['integer', 'id'],
  name: ['string', 'name'],
  kind: ['string', 'kind'],
  createdAt: ['datetime', COLUMN_NAMES.createdAt],
  expiresAt: ['datetime', 'expires_at'],
  lastUsedAt: ['datetime', 'last_used_at'],
  userId: ['integer', 'user_id'],
};

export interface NewToken {
  readonly name: string;
  readonly kind: TokenKind;
  readonly permissions: readonly string[];
  readonly expiresAt: string | null;
  /** The owner; undefined: the command line. */
  readonly userId?: number | undefined;
}

/** Whether a text looks like an API token. */
export function isApiToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Creates a token and returns its text, which can't be recovered later. Throws UniqueViolation if the name is taken.
 */
export async function createApiToken(
  writer: Writer,
  { name, kind, permissions, expiresAt, userId }: NewToken,
): Promise<{ readonly id: number; readonly token: string }> {
  const token = PREFIX + createSecret();
  const { dialect } = writer;
  const time = (iso: string | null) => (iso === null ? null : dialect.bind('datetime', iso));
  const columns: Columns = new Map([
    ['name', name],
    ['kind', kind],
    ['hash', hashSecret(token)],
    [COLUMN_NAMES.createdAt, time(new Date().toISOString())],
    ['expires_at', time(expiresAt)],
    ['user_id', userId ?? null],
  ]);
  const id = await writer.write(() => {
    const made = new NewId('api_tokens');
    const row = insertInto(dialect, 'api_tokens', columns, { generatedId: made, returnsId: true });
    const given = permissions.map((action) =>
      statement(sql`INSERT INTO api_token_permissions (token_id, action) VALUES (${made}, ${action})`),
    );
    return Promise.resolve({
      subjects: [{ action: 'create', type: 'token', id: made }],
      steps: [row, ...given],
      answer: () => made.value,
    });
  });
  return { id, token };
}

async function withPermissions(
  executor: Executor,
  tokens: readonly Omit<ApiToken, 'permissions'>[],
): Promise<readonly ApiToken[]> {
  if (tokens.length === 0) return [];
  const ids = join(
    tokens.map(({ id }) => sql`${id}`),
    ', ',
  );
  const rows = await executor.all(
    sql`SELECT token_id, action FROM api_token_permissions WHERE token_id IN (${ids}) ORDER BY token_id, action`,
  );
  return tokens.map((token) => ({
    ...token,
    permissions: rows.filter((row) => Number(row['token_id']) === token.id).map((row) => String(row['action'])),
  }));
}

/** All tokens, by id. */
export async function listApiTokens(executor: Executor): Promise<readonly ApiToken[]> {
  return withPermissions(executor, await readJsonRows(executor, COLUMNS, sql`FROM api_tokens ORDER BY id`));
}

/** Finds a token by its text or id; it may have expired. */
export async function findApiToken(
  executor: Executor,
  which: { readonly text: string } | { readonly id: number },
): Promise<ApiToken | undefined> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`hash = ${hashSecret(which.text)}`;
  const found = sql`FROM api_tokens WHERE ${condition}`;
  return (await withPermissions(executor, await readJsonRows(executor, COLUMNS, found)))[0];
}

/** Deletes a token by name or id; false if there is none. */
export function revokeApiToken(writer: Writer, which: { name: string } | { id: number }): Promise<boolean> {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`name = ${which.name}`;
  const subject = { action: 'delete', type: 'token', id: 'id' in which ? which.id : undefined } as const;
  return writeIfFound(writer, subject, { sql: deleteRows(raw('api_tokens'), condition) });
}

/** Records the last use of a token. */
export async function touchApiToken(writer: Writer, id: number): Promise<void> {
  const now = writer.dialect.bind('datetime', new Date().toISOString());
  const update = sql`UPDATE api_tokens SET last_used_at = ${now} WHERE id = ${id}`;
  await writeIfFound(writer, { action: 'update', type: 'token', id }, { sql: update });
}
