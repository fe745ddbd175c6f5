/** Explains unique violations: finds the attributes whose values are taken. */
import { columnTypeOf } from '../contract/attribute-types/scalar-type.ts';
import { kindsOf, valueOf } from '../contract/item-attributes.ts';
import type { ContentType, ContentTypes, ScalarAttribute } from '../contract/content-type.ts';
import { type Database, UniqueViolation } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import { join, raw, sql, type Sql } from '../database/sql.ts';
import { takenIssue } from '../content/taken-issue.ts';
import { inSameTenant } from '../content/tenant.ts';
import { type ViolatingWrite, violationIssues } from '../content/violated-unique.ts';
import { type Issue, ValidationError } from '../contract/errors.ts';
import { type EntryRequest, isDocumentRequest } from '../query/entry-request.ts';
import type { EntryInput, StoredEntry } from './context.ts';

/** The entry that may have the value; without an id while it is being created. */
export interface Self {
  readonly id?: number;
  /** For localized types, in which values are unique within a locale. */
  readonly locale?: string;
  /** The document, whose other locales have the same shared values. */
  readonly documentId?: string;
}

export function selfOf({ id, localization }: StoredEntry): Self {
  return localization ? { id, locale: localization.locale, documentId: localization.documentId } : { id };
}

function uniqueAttributes(type: ContentType): (readonly [string, ScalarAttribute])[] {
  return kindsOf(type.attributes).scalars.filter(([, scalar]) => scalar.type === 'uid' || scalar.unique === true);
}

/** The condition that the row `t` may not have the same value as the entry: it is another one, in the same scope. */
function isOther({ shared }: ScalarAttribute, { id, locale, documentId }: Self): Sql {
  // A shared value has no locale.
  if (shared) return documentId === undefined ? sql`1 = 1` : sql`t.document_id <> ${documentId}`;
  const conditions: Sql[] = [];
  if (id !== undefined) conditions.push(sql`t.id <> ${id}`);
  if (locale !== undefined) conditions.push(sql`t.locale = ${locale}`);
  return conditions.length === 0 ? sql`1 = 1` : join(conditions, ' AND ');
}

/** Where a value may be taken, if published versions are beside drafts: there alone, in drafts as well, or nowhere. */
export type TakenIn = 'published' | 'drafts' | 'nowhere';

/** In the v4 format drafts may not repeat values either. */
export function takenInFor(request: Pick<EntryRequest, 'format'>, draft: boolean): TakenIn {
  if (!isDocumentRequest(request)) return 'drafts';
  return draft ? 'nowhere' : 'published';
}

function tablesWhere({ table, published }: ContentType, where: TakenIn): readonly string[] {
  if (!published) return [table];
  return { published: [published.table], drafts: [published.table, table], nowhere: [] }[where];
}

/** Issues for all unique attributes of `input` whose value another entry has. One statement. */
export async function takenAttributes(
  executor: Executor,
  type: ContentType,
  input: EntryInput,
  self: Self,
  where: TakenIn = 'published',
): Promise<Issue[]> {
  const { dialect } = executor;
  const tables = tablesWhere(type, where);
  const sent = uniqueAttributes(type).filter(([name]) => (valueOf(input, name) ?? null) !== null);
  if (tables.length === 0 || sent.length === 0) return [];
  const tenant = inSameTenant(dialect, type, { input, row: self.id });
  const within = tenant ? sql` AND ${tenant}` : sql``;
  const isTaken = sent.map(([name, attribute], index) => {
    const value = dialect.bind(columnTypeOf(attribute.type), valueOf(input, name));
    const isSame = sql`t.${dialect.id(attribute.column)} = ${value} AND ${isOther(attribute, self)}${within}`;
    const others = tables.map((table) => sql`EXISTS (SELECT 1 FROM ${dialect.id(table)} AS t WHERE ${isSame})`);
    return sql`CASE WHEN ${join(others, ' OR ')} THEN 1 ELSE 0 END AS ${raw(`taken_${index}`)}`;
  });
  const row = await executor.get(sql`SELECT ${join(isTaken, ', ')}`);
  return sent.flatMap(([name, attribute], index) =>
    Number(row?.[`taken_${index}`]) === 1 ? [takenIssue([name], { isPrivate: attribute.private === true })] : [],
  );
}

/**
 * Throws ValidationError for a value that another entry has, in its draft or published, where only published versions have a
 * constraint: in the v4 format drafts may not repeat values either.
 */
export async function refuseTaken(
  tx: Executor,
  { type }: { readonly type: ContentType },
  request: Pick<EntryRequest, 'format'>,
  { input, self }: { readonly input: EntryInput; readonly self: Self },
): Promise<void> {
  if (!type.draftAndPublish || isDocumentRequest(request)) return;
  const issues = await takenAttributes(tx, type, input, self, 'drafts');
  if (issues.length > 0) throw new ValidationError(issues);
}

/** Whether the violation is one of this attribute. */
function isViolated({ columns }: UniqueViolation, { column, claim }: ScalarAttribute): boolean {
  return columns.includes(column) || (claim !== undefined && columns.includes(claim));
}

const MAX_TRIES = 5;

/** Whether the rejected value may be a generated one, taken by a concurrent request. */
function isGeneratedValue(error: UniqueViolation, type: ContentType, input: EntryInput): boolean {
  return uniqueAttributes(type).some(([name, attribute]) => {
    const { required, type: scalar } = attribute;
    const isGenerated = scalar === 'uid' && required === true && (valueOf(input, name) ?? null) === null;
    return isGenerated && isViolated(error, attribute);
  });
}

/** Retries a write if a value that it generated was taken meanwhile. */
async function retryIfTaken<T>(type: ContentType, input: EntryInput, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const isTaken = error instanceof UniqueViolation && isGeneratedValue(error, type, input);
      if (!isTaken || tries === MAX_TRIES) throw error;
    }
  }
}

/** For a violated unique index, unless it is the server's own: a ValidationError that names its attributes. Otherwise the same error. */
export function explainedViolation(error: unknown, write: ViolatingWrite): unknown {
  const issues = error instanceof UniqueViolation ? violationIssues(error, write) : undefined;
  return issues ? new ValidationError(issues) : error;
}

/**
 * Runs a write; turns a unique violation into a ValidationError that names all attributes whose values are taken, and those of other
 * violated indexes, also in entries of other types. Throws UniqueViolation only for indexes of the server itself. The constraint
 * is what decides; the look-ups, after the rollback, only find out what to report.
 */
export async function explainUniqueViolation<T>(
  { database, types, type }: { readonly database: Database; readonly types: ContentTypes; readonly type: ContentType },
  { input, self }: { readonly input: EntryInput; readonly self: Self },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await retryIfTaken(type, input, write);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const issues = await takenAttributes(database, type, input, self);
    if (issues.length > 0) throw new ValidationError(issues);
    throw explainedViolation(error, { types, type, input });
  }
}
