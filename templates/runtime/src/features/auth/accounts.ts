/** Rows of users. */
import { insertRow, scalarColumns, updateRows, type Columns } from '../../write/columns.ts';
import type { EntryInput } from '../../entries/context.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { Executor } from '../../database/database.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { normaliseUsername } from './username.ts';
import { readJsonRows, type JsonColumns } from './json-rows.ts';

/** A user, including private columns. Times are in ISO 8601. */
export interface Account {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  /** The hash of the password. */
  readonly password: string | null;
  readonly resetPasswordExpiresAt: string | null;
  readonly confirmationExpiresAt: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly tokenGeneration: number;
  /** The id of a session that stays valid across token generations. */
  readonly keptSession: string | null;
  readonly roleId: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const COLUMNS: JsonColumns = {
  id: ['integer', 'id'],
  username: ['string', 'username'],
  email: ['email', 'email'],
  provider: ['string', 'provider'],
  password: ['password', 'password'],
  resetPasswordExpiresAt: ['datetime', 'reset_password_expires_at'],
  confirmationExpiresAt: ['datetime', 'confirmation_expires_at'],
  confirmed: ['boolean', 'confirmed'],
  blocked: ['boolean', 'blocked'],
  tokenGeneration: ['integer', 'token_generation'],
  keptSession: ['string', 'kept_session'],
  roleId: ['integer', 'role_id'],
  createdAt: ['datetime', 'created_at'],
  updatedAt: ['datetime', 'updated_at'],
};

/** Email addresses are case-insensitive. */
export function normaliseEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** All users for which `condition` holds. */
export function findAccounts(executor: Executor, condition: Sql): Promise<Account[]> {
  return readJsonRows<Account>(executor, COLUMNS, sql`FROM users WHERE ${condition}`);
}

export async function accountById(executor: Executor, id: number): Promise<Account | undefined> {
  return (await findAccounts(executor, sql`id = ${id}`))[0];
}

export async function accountByEmail(executor: Executor, email: string): Promise<Account | undefined> {
  return (await findAccounts(executor, sql`email = ${normaliseEmail(email)}`))[0];
}

/**
 * Finds a user by email address or user name. The address takes precedence, so that nobody can hijack one by choosing
 * it as a user name. A name is compared as stored first, then normalised: old accounts may have names that were never
 * normalised.
 */
export async function accountByIdentifier(executor: Executor, identifier: string): Promise<Account | undefined> {
  const email = normaliseEmail(identifier);
  const names = sql`(${identifier}, ${normaliseUsername(identifier)})`;
  const found = await findAccounts(executor, sql`email = ${email} OR username IN ${names}`);
  const [first] = found;
  return (
    found.find((account) => account.email === email) ??
    found.find((account) => account.username === identifier) ??
    first
  );
}

/** Values by attribute; the password is hashed, and the role is an id. */
export type AccountInput = EntryInput & { readonly roleId?: number };

function columnsOf(tx: Executor, type: ContentType, { roleId, ...input }: AccountInput): Columns {
  const columns = scalarColumns(tx.dialect, type, input);
  if (roleId !== undefined) columns.set('role_id', sql`${roleId}`);
  return columns.set('updated_at', sql`${tx.dialect.bind('datetime', new Date().toISOString())}`);
}

/** Inserts a user; returns the id. `type` is the built-in type `user`. */
export async function insertAccount(tx: Executor, type: ContentType, input: AccountInput): Promise<number> {
  const columns = columnsOf(tx, type, { provider: 'local', blocked: false, tokenGeneration: 0, ...input });
  return insertRow(tx, type.table, columns.set('created_at', columns.get('updated_at') ?? sql`NULL`));
}

/** Updates the users that match `condition`; false if there are none. */
export async function updateAccount(
  tx: Executor,
  type: ContentType,
  condition: Sql,
  input: AccountInput,
): Promise<boolean> {
  return updateRows(tx, type.table, condition, columnsOf(tx, type, input));
}
