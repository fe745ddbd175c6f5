/** What queries ask of an engine beyond what every statement needs of its dialect. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import type { MemberType } from '../../contract/attribute-types/member-type.ts';
import type { Sql } from '../../database/sql.ts';
import type { Operand } from '../bindings.ts';
import type { Comparison, TextMatch } from '../read-query.ts';

/** A value inside of a component, with the index of it. */
export interface IndexedMember {
  readonly type: MemberType;
  readonly alias: Sql;
  /** Of the component, in the row of its entry. */
  readonly column: Sql;
  /** The members that lead to it. */
  readonly path: readonly string[];
  readonly index: Sql;
}

export interface QueryEngine {
  /** `column` as it sorts: numbers by value, text by code points. */
  sortable(type: ColumnType, column: Sql): Sql;
  /**
   * An element of `ORDER BY`: nulls first ascending, last descending. `neverNull` where there can't be any, so that an index
   * serves whatever the engine's own order of nulls is.
   */
  orderBy(value: Sql, descending: boolean, neverNull?: boolean): Sql;
  /** The same within an aggregate. */
  orderInAggregate(value: Sql, descending: boolean): Sql;
  /** A comparison with a canonical value. Text is compared exactly, on every engine. */
  compare(type: ColumnType, column: Sql, comparison: Comparison, value: Operand): Sql;
  /** The same of a value by which entries are sorted, as `sortable` makes it: an index in that order serves it. */
  compareSorted(type: ColumnType, value: Sql, comparison: Comparison, operand: Operand): Sql;
  /** Whether the column has one of the canonical values: any number of them in one parameter. */
  oneOf(type: ColumnType, column: Sql, values: readonly Operand[]): Sql;
  /** Whether the text of the column matches; `value` is literal. `fold`: upper and lower case of Unicode are the same. */
  matches(type: ColumnType, column: Sql, match: TextMatch, fold: boolean, value: Operand<string>): Sql;
  /** Whether the texts of a row have all words, each as a word or its beginning. `index`: see `ContentType.search`. */
  hasWords(row: { readonly alias: Sql; readonly table: Sql }, index: Sql, words: Operand<string>): Sql;
  /** How many rows `LIMIT` and `OFFSET` say. */
  rowCount(count: number): Sql;

  /** A member of a component item, as `jsonScalar` answers a column. Names come from the descriptors. */
  itemJson(type: ColumnType, item: Sql, name: string): Sql;
  /** A member of a component item, as a column of its type compares. */
  itemValue(type: ColumnType, item: Sql, name: string): Sql;
  /** The same of a member for which there is an index: as that has it, so that it serves. */
  indexedMember(member: IndexedMember): Sql;
  /** A component or list of components in an item. */
  itemMember(item: Sql, name: string): Sql;
  /** How many items a list has; NULL where there is none. */
  itemCount(list: Sql): Sql;
  /** The items of a list as rows for `FROM`, with the columns `value` and `key`, the place in the list. */
  itemRows(list: Sql, alias: Sql): Sql;
}
