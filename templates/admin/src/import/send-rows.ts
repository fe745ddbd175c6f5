/** Sends rows in batches: as a dry run, or to be written. */
import { HttpError } from 'react-admin';
import { type ContentType, resourceOf } from '../model/model.ts';
import { errorsInBody } from '../rest/field-messages.ts';
import { errorOf, LostResponseError, send } from '../rest/request.ts';
import type { Write } from './build-rows.ts';
import { hashOf } from './read-file.ts';

/** The most operations that a server takes in one batch by default, and of their bodies, in characters. */
export const MOST_ROWS = 100;
const MOST_TEXT = 400_000;

/** Pauses before a batch is sent again that may have been done, in milliseconds. */
const PAUSES = [500, 1000, 2000, 4000];
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface RowRefusal {
  readonly write: Write;
  readonly error: HttpError;
}

/** The next rows that are sent together. */
export function nextRows(writes: readonly Write[], start: number, size: number): readonly Write[] {
  let length = 0;
  const end = writes.findIndex((write, index) => {
    if (index < start) return false;
    length += JSON.stringify(write.data).length;
    return index > start && (index - start >= size || length > MOST_TEXT);
  });
  return writes.slice(start, end < 0 ? undefined : end);
}

export interface Target {
  readonly type: ContentType;
  /** What updates write: the draft beside what is published, or both. */
  readonly updates: { readonly query: string; readonly data: object };
  readonly isUnlisted: boolean;
}

function operationOf({ type, updates }: Target, { data, id }: Write): object {
  const path = `/api/${resourceOf(type)}`;
  if (id === undefined) return { method: 'POST', path, body: { data } };
  const body = { data: { ...data, ...updates.data } };
  // What they are now does not matter: some attributes become what the file says.
  return { method: 'PUT', path: `${path}/${id}${updates.query}`, body, ifMatch: '*' };
}

/** The server takes fewer operations at once. */
export function isTooMany(error: unknown): boolean {
  if (!(error instanceof HttpError) || error.status !== 400) return false;
  const [first] = errorsInBody(error.body);
  return first?.path?.length === 1 && first.path[0] === 'operations';
}

/** Throws what requests throw. */
export async function dryRunRows(target: Target, rows: readonly Write[]): Promise<readonly RowRefusal[]> {
  const operations = rows.map((write) => operationOf(target, write));
  const { body } = await send<{ refused: { operation: number; error: { status: number } }[] }>({
    method: 'POST',
    path: '_batch',
    body: { operations, dryRun: true },
    isUnlisted: true,
  });
  return body.refused.flatMap(({ operation, error }) => {
    const write = rows[operation];
    return write ? [{ write, error: errorOf(error.status, { error }) }] : [];
  });
}

/** Whether nobody can say yet if it was done, or the server refuses for now. */
function isPassing(error: unknown): boolean {
  if (error instanceof LostResponseError) return true;
  if (!(error instanceof HttpError)) return false;
  return PASSING.has(error.status) || (error.status === 409 && operationIn(error) === undefined);
}

function operationIn({ body }: HttpError): number | undefined {
  return (body as { details?: { operation?: number } } | undefined)?.details?.operation;
}

export interface Sent {
  /** Whether the rows were imported before, and not by an earlier try. */
  readonly isReplayed: boolean;
  /** Nothing was done, as a row was refused. */
  readonly refused?: RowRefusal;
}

async function sendOnce(target: Target, rows: readonly Write[], key: string): Promise<Sent> {
  const operations = rows.map((write) => operationOf(target, write));
  try {
    const { isReplayed } = await send({
      method: 'POST',
      path: '_batch',
      body: { operations },
      key,
      isUnlisted: target.isUnlisted,
    });
    return { isReplayed };
  } catch (error) {
    const at = error instanceof HttpError && error.status < 500 ? operationIn(error) : undefined;
    const write = at === undefined ? undefined : rows[at];
    if (!write) throw error;
    return { isReplayed: false, refused: { write, error: error as HttpError } };
  }
}

/** Sends rows once, however often: `name` and their lines are the key. Throws what requests throw, after some tries. */
export async function sendRows(
  target: Target,
  rows: readonly Write[],
  name: string,
  signal: AbortSignal,
): Promise<Sent> {
  const key = `csv-${hashOf(JSON.stringify([name, rows.map(({ line }) => line)]))}`;
  for (const [tries, pause] of PAUSES.entries()) {
    try {
      const sent = await sendOnce(target, rows, key);
      return tries === 0 ? sent : { ...sent, isReplayed: false };
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return { ...(await sendOnce(target, rows, key)), isReplayed: false };
}
