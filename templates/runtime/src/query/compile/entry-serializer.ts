/** The columns to select for an entry, and the conversion of a row to its JSON text. */
import type { Dialect } from '../../database/dialect.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { EntrySelection } from '../read-query.ts';
import { availableLocales, entryJson } from './compile-entry.ts';
import type { Compiler } from './compiler.ts';
import { piecesOf } from './json-tree.ts';
import type { ListBounds } from './list-bounds.ts';
import { createRowSerializer, type RowSerializer, type ValuePiece } from './row-serializer.ts';
import { shownValue } from './row-values.ts';
import type { TableRows } from './rows.ts';

/** `columns` of the entry's row, and `textOf`, which builds the JSON text from them. */
export type EntrySerializer = RowSerializer;

/** Attributes that precede those of the type. */
type Lead = readonly (readonly [string, Sql])[];

type ScalarOf = NonNullable<Dialect['rowScalar']>;

/** `text`, or NULL if it is larger than an answer may be. Evaluated only once. */
function withinSize({ atMost }: Dialect, bounds: ListBounds | undefined, text: Sql): Sql {
  if (!atMost || bounds?.kind !== 'guarded') return text;
  return sql`(SELECT ${atMost(raw('whole.data'), bounds.size)} FROM (SELECT ${text} AS data OFFSET 0) AS whole)`;
}

/** Has the database build the JSON text. */
function asJson(compiler: Compiler, entry: EntrySelection, rows: TableRows, lead: Lead): EntrySerializer {
  const { dialect, bounds } = compiler;
  const json = withinSize(dialect, bounds, dialect.jsonText(entryJson(compiler, entry, rows, lead)));
  return { columns: sql`${json} AS data`, textOf: (row) => String(row['data']), nameOf: () => undefined };
}

/** A value of the row, and its serializer. */
type RowValue = Omit<ValuePiece, 'before'>;

/** The attributes with their names. */
function attributes(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  { scalarOf, lead }: { readonly scalarOf: ScalarOf; readonly lead: Lead },
): readonly (readonly [string, RowValue])[] {
  const jsonPiece = ([name, json]: readonly [string, Sql]) => [name, jsonValue(compiler, json)] as const;
  const fields = entry.fields.map((field) => {
    const { select, write } = scalarOf(field.columnType);
    return [
      field.name,
      { value: field.isUnset ? raw('NULL') : select(shownValue(compiler, rows, field)), write },
    ] as const;
  });
  const populated = entry.populate.map((population) => jsonPiece(compiler.population(population, rows)));
  return [...lead.map(jsonPiece), ...fields, ...populated];
}

function jsonValue({ dialect }: Compiler, json: Sql): RowValue {
  return { value: dialect.jsonText(json), write: String };
}

/** Selects plain columns, and JSON for what is not in the row; builds the same text as `entryJson`. */
function asRow(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  how: { readonly scalarOf: ScalarOf; readonly lead: Lead },
): EntrySerializer {
  const { scalarOf } = how;
  const text = scalarOf('text');
  const { pieces, end } = piecesOf(
    entry.shape.entry<RowValue>({
      id: { value: sql`${rows.alias}.id`, write: scalarOf('integer').write },
      documentId: entry.type.documentIds
        ? { value: text.select(sql`${rows.alias}.document_id`), write: text.write }
        : undefined,
      attributes: attributes(compiler, entry, rows, how),
      locales() {
        const json = availableLocales(compiler, entry, rows);
        return json && jsonValue(compiler, json);
      },
    }),
  );
  return createRowSerializer(
    compiler,
    pieces.map(({ before, value }) => ({ before, ...value })),
    end,
  );
}

/** The entry of a row, in the way that is fastest for the dialect. */
export function entrySerializer(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  lead: Lead = [],
): EntrySerializer {
  const scalarOf = compiler.dialect.rowScalar;
  return scalarOf ? asRow(compiler, entry, rows, { scalarOf, lead }) : asJson(compiler, entry, rows, lead);
}
