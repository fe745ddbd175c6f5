/** Fills a database with random sample content that satisfies every rule of the schema. */
import { HttpError, ValidationError } from '../../contract/errors.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { SeedContext } from './context.ts';
import { sharedTable } from './links.ts';
import { NoValue, randomEntry, randomLinks } from './random-entry.ts';
import { seedOrder } from './seed-order.ts';

/** How many entries of a type were created; `reason` explains why there are fewer than requested. */
export interface SeededType {
  readonly uid: string;
  readonly count: number;
  readonly reason?: string;
}

export interface SeedRequest {
  /** Number of entries for each collection type. */
  readonly count: number;
  /** The types to fill. */
  readonly uids: readonly string[];
  /** Whether single types that have an entry get another one; otherwise that entry, which people may have written, stays. */
  readonly replacesSingles: boolean;
  /** Called after each write. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Adds the type and, if they are known, the attributes to an error, and advice, since hooks may be stricter than the schema. */
function named(error: unknown, { uid }: ContentType): unknown {
  if (!(error instanceof HttpError)) return error;
  const lines =
    error instanceof ValidationError
      ? error.issues.map(({ path, message }) => `${[uid, ...path].join('.')}: ${message}`)
      : [`${uid}: ${error.message}`];
  const advice =
    "If a hook in src/extensions/ is stricter than the schema, let it accept writes with `caller.kind === 'server'`.";
  return new Error([...lines, advice].join('\n'), { cause: error });
}

/** Awaits a write of an entry of this type. */
async function writing<T>(type: ContentType, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw named(error, type);
  }
}

/** How often random values are chosen again that repeat a unique combination. */
const MAX_TRIES = 20;

const NO_COMBINATION = 'no further combination of unique values was found';

/** Whether an error says that another entry has the same combination of values. */
function isTakenCombination(error: unknown, { unique = [] }: ContentType): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof ValidationError)) return false;
  const paths = cause.issues.map(({ path }) => path.join('.'));
  return unique.some((names) => paths.length === names.length && paths.every((path) => names.includes(path)));
}

/** Writes random values, and others as long as they repeat a unique combination; undefined if that goes on. */
async function unrepeated<T>(type: ContentType, write: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isTakenCombination(error, type)) throw error;
    }
  }
  return undefined;
}

function create({ writer }: SeedContext, type: ContentType, data: object): Promise<number> {
  return writing(type, type.kind === 'singleType' ? writer.save(type.uid, data) : writer.create(type.uid, data));
}

/** Creates up to `count` entries and appends their ids to `ids`. */
async function fillType(
  context: SeedContext,
  type: ContentType,
  { count, ids, tick }: { readonly count: number; readonly ids: number[]; readonly tick: () => void },
): Promise<SeededType> {
  for (let index = 0; index < count; index += 1) {
    try {
      const id = await unrepeated(type, async () => create(context, type, await randomEntry(context, type, index)));
      if (id === undefined) return { uid: type.uid, count: ids.length, reason: NO_COMBINATION };
      ids.push(id);
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      return { uid: type.uid, count: ids.length, reason: error.message };
    }
    tick();
  }
  return { uid: type.uid, count: ids.length };
}

async function linkType(
  context: SeedContext,
  type: ContentType,
  { ids, done, tick }: { readonly ids: readonly number[]; readonly done: Set<string>; readonly tick: () => void },
): Promise<void> {
  const { writer } = context;
  for (const [index, id] of ids.entries()) {
    tick();
    // Relations that repeat a unique combination are left out.
    await unrepeated<unknown>(type, async () => {
      const links = randomLinks(context, type, index, done);
      if (Object.keys(links).length === 0) return;
      const isSingle = type.kind === 'singleType';
      await writing<unknown>(type, isSingle ? writer.save(type.uid, links) : writer.update(type.uid, id, links));
    });
  }
  for (const attribute of Object.values(type.attributes)) {
    const table = attribute.type === 'relation' ? sharedTable(attribute) : undefined;
    if (table !== undefined) done.add(table);
  }
}

/** Creates entries in order of their requirements, then links them. Rethrows errors of the writes. */
export async function seedRandom(
  context: SeedContext,
  { count, uids, replacesSingles, onProgress }: SeedRequest,
): Promise<readonly SeededType[]> {
  const types = seedOrder(context.types, uids);
  const isKept = ({ kind, uid }: ContentType): boolean =>
    kind === 'singleType' && !replacesSingles && (context.pools.get(uid) ?? []).length > 0;
  const countOf = (type: ContentType): number => (type.kind !== 'singleType' ? count : isKept(type) ? 0 : 1);
  const total = 2 * types.reduce((sum, type) => sum + countOf(type), 0);
  let writes = 0;
  const tick = (): void => onProgress((writes += 1), total);
  const seeded: SeededType[] = [];
  const made = new Map<string, readonly number[]>();
  for (const type of types) {
    const ids: number[] = [];
    const reason = isKept(type) ? { reason: `it has one, which stays; to replace it: --type ${type.uid}` } : {};
    seeded.push({ ...(await fillType(context, type, { count: countOf(type), ids, tick })), ...reason });
    made.set(type.uid, ids);
    // New entries first, so that exclusive links of existing entries are taken over only when no new target is left.
    context.pools.set(type.uid, [...ids, ...(context.pools.get(type.uid) ?? [])]);
  }
  const done = new Set<string>();
  for (const type of types) await linkType(context, type, { ids: made.get(type.uid) ?? [], done, tick });
  return seeded;
}
