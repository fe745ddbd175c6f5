/** The engine-specific parts of queries, beyond those common to all statements, which are in the dialect. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import type { MemberType } from '../../contract/attribute-types/member-type.ts';
import type { Sql } from '../../database/sql.ts';
import type { Operand } from '../bindings.ts';
import type { Comparison, TextMatch } from '../../contract/operators.ts';

/** A member of a component that has an index. */
export interface IndexedMember {
  readonly type: MemberType;
  readonly alias: Sql;
  /** The component's column in the entry's row. */
  readonly column: Sql;
  /** The path to the member inside the column. */
  readonly path: readonly string[];
  readonly index: Sql;
}

/** How a value is sorted. */
export interface Order {
  readonly descending: boolean;
  /** The value is never null, so that an index can be used whatever the engine's default order of nulls is. */
  readonly neverNull?: boolean | undefined;
  readonly type?: ColumnType | undefined;
}

export interface QueryEngine {
  /** `column` in a form that sorts numbers by value and text by code points. */
  sortable(type: ColumnType, column: Sql): Sql;
  /**
   * `value`, which a subquery looks up for each row, in a form that is sorted and compared without evaluating it several times, and
   * the type of that form.
   */
  lookedUp(type: ColumnType, value: Sql): { readonly type: ColumnType; readonly value: Sql };
  /** Elements of `ORDER BY` for a value in the form of `sortable` or `lookedUp`: nulls first if ascending, last if descending. */
  orderBy(value: Sql, order: Order): Sql;
  /** The same within an aggregate. */
  orderInAggregate(value: Sql, order: Order): Sql;
  /** Compares with a canonical value. On every engine the comparison of text is exact. */
  compare(type: ColumnType, column: Sql, comparison: Comparison, value: Operand): Sql;
  /** Like `compare`, for a value in the form of `sortable`, so that an index in that order can be used. */
  compareSorted(type: ColumnType, value: Sql, comparison: Comparison, operand: Operand): Sql;
  /** Whether the column equals one of the canonical values, of which there may be any number. */
  oneOf(type: ColumnType, column: Sql, values: readonly Operand[]): Sql;
  /** Whether the text of the column matches `value`, taken literally. `fold`: ignores case, by Unicode. */
  matches(type: ColumnType, column: Sql, match: TextMatch, fold: boolean, value: Operand<string>): Sql;
  /**
   * Whether the indexed columns of a row contain all words, each as a word or a prefix of one. `index`: see `ContentType.search`.
   */
  hasWords(row: { readonly alias: Sql; readonly table: Sql }, index: Sql, words: Operand<string>): Sql;
  /** Whether a subquery has rows. */
  exists(select: Sql): Sql;
  /** A row count for `LIMIT` or `OFFSET`. */
  rowCount(count: number): Sql;

  /** A member of a component item as JSON, like `jsonScalar` of a column. Names come from the descriptors. */
  itemJson(type: ColumnType, item: Sql, name: string): Sql;
  /** A member of a component item, comparable like a column of its type. */
  itemValue(type: ColumnType, item: Sql, name: string): Sql;
  /** Like `itemValue`, for a member with an index: written like the indexed expression, so that the index is used. */
  indexedMember(member: IndexedMember): Sql;
  /** A component, or a list of components, inside an item. */
  itemMember(item: Sql, name: string): Sql;
  /** The length of a list of items; NULL if there is no list. */
  itemCount(list: Sql): Sql;
  /** The items of a list as rows for `FROM`, with the columns `value` and `key`, the position in the list. */
  itemRows(list: Sql, alias: Sql): Sql;
  /** An element of `WITH` whose SELECT runs once, instead of for each row that the statement compares with it. */
  tableOnce(name: Sql, select: Sql): Sql;
}
