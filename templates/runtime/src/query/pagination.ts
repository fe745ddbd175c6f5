/** `pagination`: which part of a list, by page number, by offset or by keyset. */
import type { ApiSettings } from '../contract/content-type.ts';
import { BadRequestError } from '../contract/errors.ts';
import { invalidParameter, invalidValue } from './invalid-parameter.ts';
import { isQueryObject, ownValue, parseFlag, type QueryObject, type QueryValue, textOf } from './query-value.ts';
import type { KeysetPage, PageMeta } from './read-query.ts';

const NAMES: ReadonlySet<string> = new Set(['page', 'pageSize', 'start', 'limit', 'withCount', 'maxCount', 'after']);
const WHOLE_NUMBER = /^[+-]?\d+$/u;

/** An integer parameter; undefined if absent or empty. Throws BadRequestError for anything else. */
export function wholeNumber(object: QueryObject, name: string): number | undefined {
  const value = ownValue(object, name);
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
  const value = ownValue(object, 'withCount');
  if (value === undefined || value === '') {
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

/** The limit of an offset page: -1 means the maximum; any other number below 1 becomes 1. */
function limitOf(limit: number | undefined, api: ApiSettings): number {
  if (limit === undefined) {
    return within(api.defaultPageSize, api.maxPageSize);
  }
  return limit === -1 ? api.maxPageSize : within(limit, api.maxPageSize);
}

/** Parses the value of `after`. */
export type ParseCursor = (after: QueryValue) => Pick<KeysetPage, 'position' | 'fingerprint'>;

function keysetPage(
  object: QueryObject,
  after: QueryValue,
  api: ApiSettings,
  parseCursor: ParseCursor | undefined,
): KeysetPage {
  if (!parseCursor) {
    throw new BadRequestError("Invalid parameter pagination.after: this list can't be read with a cursor");
  }
  const mixed = ['page', 'start', 'limit'].find((name) => ownValue(object, name) !== undefined);
  if (mixed !== undefined) {
    throw new BadRequestError(`Invalid pagination parameters. Expected either after/pageSize or ${mixed}`);
  }
  const pageSize = within(wholeNumber(object, 'pageSize') ?? api.defaultPageSize, api.maxPageSize);
  return { kind: 'keyset', pageSize, withCount: parseWithCount(object, false), ...parseCursor(after) };
}

/** The requested part of a list. Throws BadRequestError for unknown names, invalid numbers and mixed notations. */
export function parsePagination(value: QueryValue | undefined, api: ApiSettings, parseCursor?: ParseCursor): PageMeta {
  const object = value ?? {};
  if (!isQueryObject(object)) {
    throw invalidParameter('pagination');
  }
  const unknown = Object.keys(object).find((name) => !NAMES.has(name));
  if (unknown !== undefined) {
    throw invalidParameter(unknown);
  }
  const after = ownValue(object, 'after');
  if (after !== undefined) return keysetPage(object, after, api, parseCursor);
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
 * The number of entries at which counting stops: the requested one, capped by the schema's. Undefined: all are counted. Throws
 * BadRequestError if it is not an integer.
 */
export function maxCountOf(value: QueryValue | undefined, api: ApiSettings): number | undefined {
  const requested = value !== undefined && isQueryObject(value) ? wholeNumber(value, 'maxCount') : undefined;
  return requested === undefined ? api.maxCount : within(requested, api.maxCount ?? Infinity);
}

/** The offset and limit of a page. */
export function rowsOf(page: PageMeta): { start: number; limit: number } {
  if (page.kind === 'offset') {
    return { start: page.start, limit: page.limit };
  }
  if (page.kind === 'keyset') return { start: 0, limit: page.pageSize };
  return { start: Math.min((page.page - 1) * page.pageSize, Number.MAX_SAFE_INTEGER), limit: page.pageSize };
}
