/** Reads and writes rows of users. */
import { type Columns, insertInto, scalarColumns, updateWhere } from '../../write/columns.ts';
import { addVersionIncrement } from '../../write/version.ts';
import { setDocumentId } from '../../write/document-id.ts';
import { writeIfFound, type Writer } from '../../write/write-if-found.ts';
import type { EntryInput } from '../../entries/context.ts';
import { withUidValues } from '../../entries/uid-value.ts';
import {
  planEntry,
  type PlannedEntry,
  stepsAfterRow,
  withPlannedColumns,
  type Write,
} from '../../entries/write-entry.ts';
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { canonicalText } from './canonical-text.ts';
import { normalizeUsername } from './username.ts';
import { type JsonColumns, readJsonRows } from './json-rows.ts';

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
  createdAt: ['datetime', NAMES.createdAt],
  updatedAt: ['datetime', NAMES.updatedAt],
};

/**
 * The form in which addresses are stored and compared: in lower case, and in NFKC, in which letters of full width and other variants
 * are the plain ones. Otherwise, one address would have several accounts that look alike.
 */
export function normalizeEmail(email: string): string {
  return canonicalText(email, 'NFKC').toLowerCase();
}

/** The normal form of an address, and that of earlier versions, in which accounts may still have it: a list for SQL. */
export function storedEmails(email: string): Sql {
  return sql`(${normalizeEmail(email)}, ${canonicalText(email, 'NFC').toLowerCase()})`;
}

/** All users for which `condition` holds. */
export function findAccounts(executor: Executor, condition: Sql): Promise<Account[]> {
  return readJsonRows<Account>(executor, COLUMNS, sql`FROM users WHERE ${condition}`);
}

export async function accountById(executor: Executor, id: number): Promise<Account | undefined> {
  return (await findAccounts(executor, sql`id = ${id}`))[0];
}

export async function accountByEmail(executor: Executor, email: string): Promise<Account | undefined> {
  const found = await findAccounts(executor, sql`email IN ${storedEmails(email)}`);
  return found.find((account) => account.email === normalizeEmail(email)) ?? found[0];
}

/**
 * Finds a user by email address or user name. The address takes precedence, so that nobody can sign in for its owner by
 * choosing it as a user name. A name is compared first as given, then normalized: old accounts may have names that were
 * never normalized.
 */
export async function accountByIdentifier(executor: Executor, identifier: string): Promise<Account | undefined> {
  const names = sql`(${identifier}, ${normalizeUsername(identifier)})`;
  const email = normalizeEmail(identifier);
  const earlier = canonicalText(identifier, 'NFC').toLowerCase();
  const found = await findAccounts(executor, sql`email IN ${storedEmails(identifier)} OR username IN ${names}`);
  const [first] = found;
  return (
    found.find((account) => account.email === email) ??
    found.find((account) => account.email === earlier) ??
    found.find((account) => account.username === identifier) ??
    first
  );
}

/** Values by attribute; the password is hashed, and the role is an id. */
export type AccountInput = EntryInput & { readonly roleId?: number };

function columnsOf(dialect: Dialect, type: ContentType, { roleId, ...input }: AccountInput): Columns {
  const columns = scalarColumns(dialect, type, input);
  if (roleId !== undefined) columns.set('role_id', roleId);
  return columns.set(NAMES.updatedAt, dialect.bind('datetime', new Date().toISOString()));
}

/**
 * Plans the INSERT of a user and the statements that follow it. `write.type` is the built-in type `user`; `returning` is the RETURNING
 * expression, for engines that support it. Throws ValidationError for invalid relations and components.
 */
export async function planNewAccount(
  write: Write,
  given: AccountInput,
  returning?: Sql,
): Promise<PlannedEntry & { readonly id: NewId }> {
  const {
    tx: { dialect },
    type,
  } = write;
  const input: AccountInput = await withUidValues(write.tx, type, given, given, { claimed: write.claimed });
  const planned = await planEntry(write, undefined, input);
  const columns = columnsOf(dialect, type, { provider: 'local', blocked: false, tokenGeneration: 0, ...input });
  columns.set(NAMES.createdAt, columns.get(NAMES.updatedAt) ?? null);
  setDocumentId(columns, type);
  await withPlannedColumns(columns, write, planned);
  const id = new NewId(type.table);
  const row = insertInto(dialect, type.table, columns, { generatedId: id, returning });
  const steps = [row, ...stepsAfterRow(write, planned, id, input)];
  return { subject: { action: 'create', type: type.uid, id }, id, row, steps };
}

/** Plans the UPDATE of a user whose row is locked, and the statements that follow it. Throws ValidationError as above. */
export async function planAccountChange(
  write: Write,
  { id, input, returning }: { readonly id: number; readonly input: AccountInput; readonly returning?: Sql | undefined },
): Promise<PlannedEntry> {
  const { tx, type } = write;
  const planned = await planEntry(write, id, input);
  const changed = addVersionIncrement(tx.dialect, columnsOf(tx.dialect, type, input));
  const columns = await withPlannedColumns(changed, write, planned);
  const row = updateWhere(tx.dialect, type.table, { condition: sql`id = ${id}`, columns, returning });
  const steps = [row, ...stepsAfterRow(write, planned, id, input)];
  return { subject: { action: 'update', type: type.uid, id }, id, row, steps };
}

/** Updates a user if `condition` holds; resolves to false otherwise. */
export function changeAccount(
  writer: Writer,
  type: ContentType,
  {
    id,
    condition = sql`1 = 1`,
    input,
  }: { readonly id: number; readonly condition?: Sql; readonly input: AccountInput },
): Promise<boolean> {
  const { dialect } = writer;
  const columns = addVersionIncrement(dialect, columnsOf(dialect, type, input));
  const row = updateWhere(dialect, type.table, { condition: sql`id = ${id} AND ${condition}`, columns });
  return writeIfFound(writer, { action: 'update', type: type.uid, id }, row);
}
