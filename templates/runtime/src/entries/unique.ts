/** Says which attributes a refused row shares with another one. */
import type { ContentType, ScalarAttribute } from '../content-type.ts';
import { UniqueViolation, type Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ValidationError, type Issue } from '../errors.ts';
import type { EntryInput } from './context.ts';

/** The entry that may have the value: none yet when it is created. */
export interface Self {
  readonly id?: number;
  /** Localized types: values are unique within a locale. */
  readonly locale?: string;
}

const MESSAGE = 'This attribute must be unique';

function uniqueAttributes(type: ContentType): [string, ScalarAttribute][] {
  return Object.entries(type.attributes).filter(
    (entry): entry is [string, ScalarAttribute] =>
      entry[1].type === 'uid' || ('unique' in entry[1] && entry[1].unique === true),
  );
}

/** All unique attributes of `input` that another entry has the same value of. */
export async function takenAttributes(
  database: Database,
  type: ContentType,
  input: EntryInput,
  self: Self,
): Promise<Issue[]> {
  const { id, bind } = database.dialect;
  const issues: Issue[] = [];
  for (const [name, attribute] of uniqueAttributes(type)) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    const locale = self.locale === undefined ? sql`` : sql` AND locale = ${self.locale}`;
    const other = await database.get(
      sql`SELECT id FROM ${id(type.table)} WHERE ${id(attribute.column)} = ${bind(attribute.type, value)} AND id <> ${self.id ?? 0}${locale} LIMIT 1`,
    );
    if (other) issues.push({ path: [name], message: MESSAGE });
  }
  return issues;
}

/**
 * Runs a write; a unique violation becomes a ValidationError that names every attribute whose value is taken. The
 * constraint decides; the look-ups only find the words, after the transaction has been rolled back.
 */
export async function namingTaken<T>(
  { database, type }: { readonly database: Database; readonly type: ContentType },
  { input, self }: { readonly input: EntryInput; readonly self: Self },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const issues = await takenAttributes(database, type, input, self);
    if (issues.length > 0) throw new ValidationError(issues);
    const named = uniqueAttributes(type).filter(([, attribute]) => error.columns.includes(attribute.column));
    if (named.length === 0) throw error;
    throw new ValidationError(named.map(([name]) => ({ path: [name], message: MESSAGE })));
  }
}
