/** Where a keyset page begins: bound by each query, so that all pages of a list share a plan. */
import { BadRequestError } from '../contract/errors.ts';
import { type Bindings, constant, type Operand, type SlotTexts } from './bindings.ts';
import { listFingerprint, readCursor } from './cursor.ts';
import { type QueryObject, type QueryValue, Slot, textOf } from './query-value.ts';
import type { CursorPosition, KeysetPage, SortKey } from './read-query.ts';

/** The list of which a page is read. */
export interface PagedList {
  readonly uid: string;
  readonly query: QueryObject;
  readonly sort: readonly SortKey[];
  /** Undefined if the query is compiled together with its values. */
  readonly bindings: Bindings | undefined;
}

/** The values of a page: the fingerprint, and if it is not the first, the id and the sort values of the entry before. */
type PageValues = readonly [string] | readonly [string, string, ...CursorPosition['values']];

function pageValues(list: PagedList, after: QueryValue, texts?: SlotTexts): PageValues {
  const cursor = after instanceof Slot ? (texts?.[after.index] ?? after.value) : textOf(after, 'after');
  const fingerprint = listFingerprint(list, texts);
  if (cursor === '') return [fingerprint];
  const { id, values } = readCursor(cursor, fingerprint, list.sort);
  return [fingerprint, String(id), ...values];
}

/** Which values are null: each pattern needs a statement of its own. */
function patternOf(values: PageValues): string {
  return values.map((value) => (value === null ? '0' : '1')).join('');
}

function boundValues(list: PagedList, after: QueryValue, values: PageValues, bindings: Bindings) {
  const pattern = patternOf(values);
  return bindings.derive<unknown>(values, (texts) => {
    try {
      const own = pageValues(list, after, texts);
      return patternOf(own) === pattern ? { ok: true, value: own } : { ok: false, message: 'has other nulls' };
    } catch (error) {
      if (error instanceof BadRequestError) return { ok: false, message: error.message };
      throw error;
    }
  });
}

/** Parses the value of `after`. Throws BadRequestError if it is no cursor of the list. */
export function keysetPosition(list: PagedList, after: QueryValue): Pick<KeysetPage, 'position' | 'fingerprint'> {
  const values = pageValues(list, after);
  const operands = list.bindings ? boundValues(list, after, values, list.bindings) : values.map(constant);
  const [fingerprint, id, ...sorted] = operands as [Operand<string>, Operand<string>?, ...Operand[]];
  const position = id && { id, values: sorted.map((operand, index) => (values[index + 2] === null ? null : operand)) };
  return { fingerprint, position };
}
