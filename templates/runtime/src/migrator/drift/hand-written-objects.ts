/**
 * The objects that hand-written migrations have made: tables, columns, indexes and triggers. Only their existence is checked: the SQL is
 * matched by patterns, not parsed. An object that any later SQL may have dropped or renamed is no longer checked.
 */
import { type AppliedSql, mentions } from './applied-sql.ts';
import type { Difference } from './difference.ts';
import type { FoundTable } from './found-table.ts';

/** An object of the database that should exist. */
export type HandWrittenObject = Pick<Difference, 'of' | 'table' | 'name'>;

const NAME = String.raw`(?:[\w$]+\.)?["\x60]?(?<name>[\w$]+)["\x60]?`;
const TABLE = String.raw`(?:[\w$]+\.)?["\x60]?(?<table>[\w$]+)["\x60]?`;
const IF = String.raw`(?:IF\s+NOT\s+EXISTS\s+)?`;

const MAKES: readonly (readonly [Difference['of'], RegExp])[] = [
  ['table', new RegExp(String.raw`^CREATE\s+TABLE\s+${IF}${NAME}\s*\(`, 'iu')],
  [
    'index',
    new RegExp(
      String.raw`^CREATE\s+(?:UNIQUE\s+|FULLTEXT\s+)?INDEX\s+(?:CONCURRENTLY\s+)?${IF}${NAME}\s+ON\s+(?:ONLY\s+)?${TABLE}`,
      'iu',
    ),
  ],
  [
    'trigger',
    new RegExp(String.raw`^CREATE\s+(?:OR\s+REPLACE\s+)?TRIGGER\s+${IF}${NAME}\s[^;]*?\sON\s+${TABLE}`, 'iu'),
  ],
  ['column', new RegExp(String.raw`^ALTER\s+TABLE\s+(?:ONLY\s+)?${TABLE}\s+ADD\s+COLUMN\s+${IF}${NAME}\s`, 'iu')],
];

/** What a statement creates, judging by its beginning. */
function madeBy(statement: string): HandWrittenObject | undefined {
  for (const [of, pattern] of MAKES) {
    const groups = pattern.exec(statement)?.groups;
    const name = groups?.['name'];
    if (name !== undefined) return { of, name, table: groups?.['table'] ?? name };
  }
  return undefined;
}

const TAKES_AWAY = /\b(?:DROP|RENAME|CHANGE)\b/iu;

/** Whether a statement may have dropped or renamed a thing or its table. */
function mayTake(statement: string, { table, name }: HandWrittenObject): boolean {
  return TAKES_AWAY.test(statement) && (mentions(statement, table) || mentions(statement, name));
}

/** The objects that hand-written migrations have made, unless a later statement may have dropped or renamed it. */
export function handWrittenObjects({ statements }: AppliedSql): readonly HandWrittenObject[] {
  return statements.flatMap(({ text, isHandWritten }, index): readonly HandWrittenObject[] => {
    const made = isHandWritten ? madeBy(text) : undefined;
    if (!made || statements.slice(index + 1).some((later) => mayTake(later.text, made))) return [];
    return [made];
  });
}

function isThere({ of, name }: HandWrittenObject, table: FoundTable): boolean {
  const hasThisName = (other: { readonly name: string }): boolean => other.name.toLowerCase() === name.toLowerCase();
  switch (of) {
    case 'column':
      return table.columns.some(hasThisName);
    case 'index':
      return table.indexes.some(hasThisName);
    case 'trigger':
      return table.triggers.some(hasThisName);
    default:
      return true;
  }
}

/** The table of a thing that was found; engines may have lower-cased its name. */
function tableOf({ table }: HandWrittenObject, tables: ReadonlyMap<string, FoundTable>): FoundTable | undefined {
  return tables.get(table) ?? tables.get(table.toLowerCase());
}

/** The names of tables to look for. */
export function handWrittenTables(things: readonly HandWrittenObject[]): readonly string[] {
  return things.flatMap(({ table }) => [table, table.toLowerCase()]);
}

/** The objects that are missing. If a table is missing, its parts are not reported. */
export function missingHandWrittenObjects(
  things: readonly HandWrittenObject[],
  tables: ReadonlyMap<string, FoundTable>,
): readonly Difference[] {
  return things.flatMap((thing): readonly Difference[] => {
    const table = tableOf(thing, tables);
    const isMissing = table ? !isThere(thing, table) : thing.of === 'table';
    return isMissing ? [{ kind: 'missing', ...thing, detail: '' }] : [];
  });
}
