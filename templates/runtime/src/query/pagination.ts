/** `pagination`: which part of a list, by page or by offset. */
import type { ApiSettings } from '../contract/content-type.ts';
import { BadRequestError } from '../contract/errors.ts';
import { invalidParameter, invalidValue } from './invalid-parameter.ts';
import { isQueryObject, own, parseFlag, type QueryObject, type QueryValue, textOf } from './query-value.ts';
import type { KeyPage, PageMeta } from './read-query.ts';

const NAMES: ReadonlySet<string> = new Set(['page', 'pageSize', 'start', 'limit', 'withCount', 'maxCount', 'after']);
const WHOLE_NUMBER = /^[+-]?\d+$/u;

/** A whole number of a parameter, undefined if it is absent or empty. Throws BadRequestError for anything else. */
export function wholeNumber(object: QueryObject, name: string): number | undefined {
  const value = own(object, name);
  const text = value === undefined ? '' : textOf(value, name);
  if (text === '') {
    return undefined;
  }
  const number = Number(text);
  if (!WHOLE_NUMBER.test(text) || !Number.isSafeInteger(number)) {
    throw invalidValue(name, 'must be a whole number');
  }
  return number;
}

function parseWithCount(object: QueryObject, byDefault: boolean): boolean {
  const value = own(object, 'withCount');
  if (value === undefined) {
    return byDefault;
  }
  const flag = parseFlag(textOf(value, 'withCount'));
  if (flag === undefined) {
    throw invalidValue('withCount', 'must be true or false');
  }
  return flag;
}

function within(size: number, max: number): number {
  return Math.min(Math.max(size, 1), max);
}

/** How many rows by offset: 1 for 0 and less, but -1 means as many as may be. */
function limitOf(limit: number | undefined, api: ApiSettings): number {
  if (limit === undefined) {
    return within(api.defaultPageSize, api.maxPageSize);
  }
  return limit === -1 ? api.maxPageSize : within(limit, api.maxPageSize);
}

/** Finds the place of a page by key: `after` is what the query says of it. */
export type PlaceOf = (after: string) => Pick<KeyPage, 'place' | 'mark'>;

function keyPage(object: QueryObject, after: QueryValue, api: ApiSettings, placeOf: PlaceOf | undefined): KeyPage {
  if (!placeOf) throw new BadRequestError('Invalid parameter pagination.after: this list has no pages by key');
  const mixed = ['page', 'start', 'limit'].find((name) => own(object, name) !== undefined);
  if (mixed !== undefined) {
    throw new BadRequestError(`Invalid pagination parameters. Expected either after/pageSize or ${mixed}`);
  }
  const pageSize = within(wholeNumber(object, 'pageSize') ?? api.defaultPageSize, api.maxPageSize);
  return { kind: 'key', pageSize, withCount: parseWithCount(object, false), ...placeOf(textOf(after, 'after')) };
}

/** The part of a list that is asked for. Throws BadRequestError for unknown names, bad numbers and mixed forms. */
export function parsePagination(value: QueryValue | undefined, api: ApiSettings, placeOf?: PlaceOf): PageMeta {
  const object = value ?? {};
  if (!isQueryObject(object)) {
    throw invalidParameter('pagination');
  }
  const unknown = Object.keys(object).find((name) => !NAMES.has(name));
  if (unknown !== undefined) {
    throw invalidParameter(unknown);
  }
  const after = own(object, 'after');
  if (after !== undefined) return keyPage(object, after, api, placeOf);
  const [page, pageSize] = [wholeNumber(object, 'page'), wholeNumber(object, 'pageSize')];
  const [start, limit] = [wholeNumber(object, 'start'), wholeNumber(object, 'limit')];
  const withCount = parseWithCount(object, true);
  if (start === undefined && limit === undefined) {
    const size = within(pageSize ?? api.defaultPageSize, api.maxPageSize);
    return { kind: 'page', page: Math.max(page ?? 1, 1), pageSize: size, withCount };
  }
  if (page !== undefined || pageSize !== undefined) {
    throw new BadRequestError('Invalid pagination parameters. Expected either start/limit or page/pageSize');
  }
  return { kind: 'offset', start: Math.max(start ?? 0, 0), limit: limitOf(limit, api), withCount };
}

/**
 * As far as the entries of a list are counted: as the request says, and no further than the schema does. Undefined: to the end.
 * Throws BadRequestError for what is no whole number.
 */
export function maxCountOf(value: QueryValue | undefined, api: ApiSettings): number | undefined {
  const asked = value !== undefined && isQueryObject(value) ? wholeNumber(value, 'maxCount') : undefined;
  return asked === undefined ? api.maxCount : within(asked, api.maxCount ?? Infinity);
}

/** How many rows are left out at the start, and how many follow. */
export function rowsOf(page: PageMeta): { start: number; limit: number } {
  if (page.kind === 'offset') {
    return { start: page.start, limit: page.limit };
  }
  if (page.kind === 'key') return { start: 0, limit: page.pageSize };
  return { start: Math.min((page.page - 1) * page.pageSize, Number.MAX_SAFE_INTEGER), limit: page.pageSize };
}
