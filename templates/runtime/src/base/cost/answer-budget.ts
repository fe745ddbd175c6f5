/** The budget of one response: how many entries it may have, counted before they are read, and how many bytes. */
import type { ApiSettings } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';

export type AnswerLimits = Pick<ApiSettings, 'maxAnswerEntries' | 'maxAnswerSize'>;

/** Each method throws BadRequestError, naming the populated `path` that asks for too much, once the limit is passed. */
export interface AnswerBudget {
  /** Adds entries, each as often as the response repeats it. `path` is undefined for the queried entries themselves. */
  entries(count: number, path: string | undefined): void;
  /** Adds bytes of the response. */
  size(count: number, path: string | undefined): void;
}

/** `tags.articles` as the parameter of a query. */
function parameterOf(path: string): string {
  const [first = '', ...rest] = path.split('.');
  return `populate[${first}]${rest.map((name) => `[populate][${name}]`).join('')}`;
}

/** How to make the query smaller. */
function advice(path: string | undefined): string {
  const fewer = 'Request fewer entries with pagination[pageSize]';
  if (path === undefined) return `${fewer}, or fewer attributes with fields.`;
  const parameter = parameterOf(path);
  return `${fewer} or ${parameter}[pagination][pageSize], or leave ${path} out and read it with a separate request.`;
}

/** The error for a response that would exceed a limit: 400. */
export function tooLarge(limit: string, path: string | undefined): BadRequestError {
  const what = path === undefined ? 'The query' : `populate of ${path}`;
  return new BadRequestError(`${what} selects too much: a response may have at most ${limit}. ${advice(path)}`);
}

export function createAnswerBudget({ maxAnswerEntries, maxAnswerSize }: AnswerLimits): AnswerBudget {
  let [entries, size] = [0, 0];
  return {
    entries(count, path) {
      entries += count;
      if (entries > maxAnswerEntries) throw tooLarge(`${maxAnswerEntries} entries`, path);
    },
    size(count, path) {
      size += count;
      if (size > maxAnswerSize) throw tooLarge(`${maxAnswerSize} bytes`, path);
    },
  };
}
