/** The results of actions as answers of services. */
import type { EntryAnswer, ListAnswer } from '../../query/answer.ts';
import type { Pagination } from '../../query/page-meta.ts';

/** What a response may contain beside `data`. */
type Result = Readonly<Record<string, unknown>>;

function resultOf(result: unknown): Result {
  return typeof result === 'object' && result !== null && !Array.isArray(result)
    ? (result as Result)
    : { data: result };
}

/** The answer for an entry with another body. */
export function oneAnswer(given: unknown, version: number | undefined): EntryAnswer {
  const result = resultOf(given);
  return {
    version,
    tag: undefined,
    body: JSON.stringify(result),
    toJSON: () => result,
    entry: () => structuredClone(result['data']),
    with: (data) => oneAnswer({ ...result, data }, version),
  };
}

/** The answer for a list with another body. */
export function manyAnswer(given: unknown): ListAnswer {
  const result = resultOf(given);
  const { data, meta } = result;
  const { pagination = {} } = (meta ?? {}) as { readonly pagination?: Pagination };
  return {
    body: Buffer.from(JSON.stringify(result)),
    tag: undefined,
    pagination,
    toJSON: () => result,
    entries: () => (Array.isArray(data) ? (structuredClone(data) as unknown[]) : []),
    with: (entries) => (Array.isArray(data) ? manyAnswer({ ...result, data: entries }) : manyAnswer(result)),
    on: (other) => manyAnswer({ ...result, meta: { ...(meta as object | undefined), pagination: other } }),
  };
}
