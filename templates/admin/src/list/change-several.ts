/** Changes several entries: those that are sent together in one transaction, all or none. */
import { HttpError, type Identifier } from 'react-admin';
import { ask } from '../rest/request.ts';

/** The most operations that a server takes in one batch by default. */
const MAX_OPERATIONS = 100;

/** Nothing of a batch was done, as one of its entries was refused. */
export class EntryRefusedError extends Error {
  readonly id: Identifier;
  /** The entries of earlier batches, for which it is done. */
  readonly done: readonly Identifier[];

  constructor(id: Identifier, done: readonly Identifier[], cause: unknown) {
    super('problem.some', { cause });
    this.id = id;
    this.done = done;
  }
}

interface Details {
  readonly operation?: number;
  /** Whether the route has middleware, which batches can't run. */
  readonly onlyByRequest?: boolean;
}

function detailsOf(error: unknown): Details {
  const { details } = ((error instanceof HttpError && error.body) ?? {}) as { readonly details?: Details };
  return details ?? {};
}

/** Whether the entries can't be changed together, but each by a request of its own. */
export function isOnlyByRequest({ cause }: EntryRefusedError): boolean {
  return detailsOf(cause).onlyByRequest === true;
}

/** An operation of a batch. */
interface Operation {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/** `isUnlisted`: whether “Show requests” leaves them out. Throws EntryRefusedError for the first entry that is refused, and what requests throw. */
export async function changeSeveral(
  ids: readonly Identifier[],
  operationOf: (id: Identifier) => Operation,
  isUnlisted: boolean,
): Promise<void> {
  for (let start = 0; start < ids.length; start += MAX_OPERATIONS) {
    const together = ids.slice(start, start + MAX_OPERATIONS);
    const operations = together.map(operationOf);
    try {
      await ask({ method: 'POST', path: '_batch', body: { operations }, isUnlisted });
    } catch (error) {
      const refused = together[detailsOf(error).operation ?? -1];
      if (refused === undefined) throw error;
      throw new EntryRefusedError(refused, ids.slice(0, start), error);
    }
  }
}
