/** Publishes items in one transaction: all of them, or none, with what refuses each. */
import { HttpError } from '../../contract/errors.ts';
import { UniqueViolation } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import type { CallsInTransaction, InTransaction } from '../../http/feature.ts';
import type { ReleaseItem } from './release-rows.ts';

/** How often items are tried in another order: a value may be free only once another item has given it up. */
const MAX_ATTEMPTS = 50;
/** How often others may change the entries meanwhile. */
const MAX_STALE = 5;

/** By the indexes of the items. */
export type Refused = ReadonlyMap<number, unknown>;

export interface Publication {
  readonly items: readonly ReleaseItem[];
  /** Before the items. Throws to publish nothing. */
  begin(inside: CallsInTransaction): Promise<void>;
  publish(inside: CallsInTransaction, item: ReleaseItem): Promise<void>;
  /** The error with a message for people. */
  explain(item: ReleaseItem, error: unknown): unknown;
  /** After the items; undefined: nothing is kept. */
  readonly settle?: ((inside: CallsInTransaction) => Promise<void>) | undefined;
}

/** Rolls back what was tried. */
class Undone extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super('nothing is published');
    this.refused = refused;
  }
}

/** An item has ended the transaction, as constraints of PostgreSQL do. */
class BrokenError extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('an item has ended the transaction', { cause });
    this.index = index;
  }
}

async function isBroken({ database }: CallsInTransaction): Promise<boolean> {
  try {
    await database.get(raw('SELECT 1 AS one'));
    return false;
  } catch {
    return true;
  }
}

interface Order {
  readonly indexes: readonly number[];
  /** Those that are known to be refused, and are not tried. */
  readonly known: Refused;
}

async function tryAll(publication: Publication, { indexes, known }: Order, inside: CallsInTransaction): Promise<void> {
  await publication.begin(inside);
  const refused = new Map<number, unknown>();
  for (const index of indexes) {
    const item = publication.items[index];
    if (!item || known.has(index)) continue;
    try {
      await publication.publish(inside, item);
    } catch (error) {
      if (error instanceof StaleEntryError) throw error;
      if (!(error instanceof HttpError) && !(error instanceof UniqueViolation)) throw error;
      if (await isBroken(inside)) throw new BrokenError(index, error);
      refused.set(index, error);
    }
  }
  if (refused.size > 0 || known.size > 0 || !publication.settle) throw new Undone(refused);
  await publication.settle(inside);
}

/** Undefined if all are published. */
async function attempt(
  publication: Publication,
  order: Order,
  inTransaction: InTransaction,
): Promise<Undone | BrokenError | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      await inTransaction((inside) => tryAll(publication, order, inside));
      return undefined;
    } catch (error) {
      if (error instanceof Undone || error instanceof BrokenError) return error;
      if (!(error instanceof StaleEntryError) || tries === MAX_STALE) throw error;
    }
  }
}

/** What is taken back comes first, as it gives up values. */
function firstOrder(items: readonly ReleaseItem[]): readonly number[] {
  const indexes = [...items.keys()];
  const isFirst = (index: number): boolean => items[index]?.action === 'unpublish';
  return [...indexes.filter(isFirst), ...indexes.filter((index) => !isFirst(index))];
}

function last(indexes: readonly number[], moved: (index: number) => boolean): readonly number[] {
  return [...indexes.filter((index) => !moved(index)), ...indexes.filter(moved)];
}

/** Empty if all are published or, without `settle`, could be. Throws what `begin` and `settle` throw. */
export async function publishItems(publication: Publication, inTransaction: InTransaction): Promise<Refused> {
  const known = new Map<number, unknown>();
  const moved = new Set<number>();
  const explain = (index: number, error: unknown): unknown => {
    const item = publication.items[index];
    return item ? publication.explain(item, error) : error;
  };
  let indexes = firstOrder(publication.items);
  let fewest = Infinity;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const ended = await attempt(publication, { indexes, known }, inTransaction);
    if (!ended) return new Map();
    if (ended instanceof BrokenError) {
      const { index, cause } = ended;
      const isLast = attempts === MAX_ATTEMPTS - 1;
      if (isLast || moved.has(index)) known.set(index, explain(index, cause));
      moved.add(index);
      indexes = last(indexes, (one) => one === index);
      continue;
    }
    const { refused } = ended;
    if (refused.size > 0 && refused.size < fewest) {
      // Those after them may have given up the values that they take.
      fewest = refused.size;
      indexes = last(indexes, (one) => refused.has(one));
      continue;
    }
    return new Map([...known, ...[...refused].map(([index, error]) => [index, explain(index, error)] as const)]);
  }
  return known;
}
