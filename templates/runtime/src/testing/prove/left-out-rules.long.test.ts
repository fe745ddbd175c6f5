/** The proof finds a rule that is left out at one place where rules narrow what a caller reaches. */
import { afterEach, expect, test, vi } from 'vitest';
import { definition as magazine } from '../../../test-support/projects/magazine/src/generated/app.ts';
import { sql } from '../../database/sql.ts';

/** Changes what a module exports. */
type Change = (original: any) => object;

/** By the path of a module. */
type Mutant = Readonly<Record<string, Change>>;

const CONTEXT = '../../query/query-context.ts';
const POPULATE = '../../query/populate.ts';
const TOP_LEVEL = '../../query/top-level.ts';

/** What the caller sees of a type is not narrowed where `isMeant` says so. */
function unnarrowed(isMeant: (stack: string) => boolean): Change {
  return (original) => ({
    seenType(...given: readonly unknown[]) {
      const seen = original.seenType(...given);
      return isMeant(new Error('where').stack ?? '') ? { ...seen, narrowed: undefined } : seen;
    },
  });
}

function calledBy(name: string): (stack: string) => boolean {
  const caller = new RegExp(`^ +at ${name} `, 'mu');
  return (stack) => caller.test(stack);
}

/** Populations that count, and those inside others, without their rule. */
function countingAll(population: any): any {
  const { kind, entry, filter, narrowed } = population;
  if (kind === 'relation') return { ...population, entry: { ...entry, populate: entry.populate.map(countingAll) } };
  if (kind !== 'count' || narrowed === undefined) return population;
  const filters = filter === narrowed ? [] : filter.filters.filter((each: unknown) => each !== narrowed);
  return { ...population, narrowed: undefined, filter: { kind: 'and', filters } };
}

function searchMutant(): Mutant {
  let searches = false;
  return {
    [CONTEXT]: unnarrowed((stack) => searches && calledBy('parseListQuery')(stack)),
    [TOP_LEVEL]: (original) => ({
      parseListQuery(query: object, ...others: readonly unknown[]) {
        searches = '_q' in query;
        const parsed = original.parseListQuery(query, ...others);
        searches = false;
        return parsed;
      },
    }),
  };
}

/** The tag of an entry depends on how many there are. */
function taggedByAll(original: any): object {
  return {
    versionTag(dialect: any, entry: any, ...others: readonly unknown[]) {
      const tag = original.versionTag(dialect, entry, ...others);
      return {
        ...tag,
        columns: sql`${tag.columns}, (SELECT COUNT(*) FROM ${dialect.id(entry.type.table)}) AS tag_count`,
        tagOf: (row: any) => tag.tagOf(row) && `${tag.tagOf(row)}${String(row.tag_count)}`,
      };
    },
  };
}

const MUTANTS: Readonly<Record<string, Mutant>> = {
  lists: { [CONTEXT]: unnarrowed(calledBy('parseListQuery')) },
  'single entries': { [CONTEXT]: unnarrowed(calledBy('parseEntryQuery')) },
  searches: searchMutant(),
  filters: { [CONTEXT]: unnarrowed(calledBy('parseRelation')) },
  sorts: { [CONTEXT]: unnarrowed(calledBy('follow')) },
  populates: { [CONTEXT]: unnarrowed(calledBy('populateOne')) },
  counts: {
    [POPULATE]: (original) => ({
      parsePopulate: (...given: readonly unknown[]) => original.parsePopulate(...given).map(countingAll),
    }),
  },
  attributes: { '../../query/rules/permitted-attributes.ts': () => ({ permittedFor: (whole: unknown) => whole }) },
  'entries that are changed or connected': {
    '../../entries/visible-entry.ts': () => ({
      visibleAmong: async (_: unknown, ids: readonly number[]) => new Set(ids),
    }),
  },
  ETags: { '../../query/version-tag.ts': taggedByAll },
};

afterEach(() => {
  for (const path of Object.values(MUTANTS).flatMap(Object.keys)) vi.doUnmock(path);
  vi.resetModules();
});

test.each(Object.entries(MUTANTS))(
  'of %s',
  async (_, mutant) => {
    vi.resetModules();
    for (const [path, change] of Object.entries(mutant)) {
      vi.doMock(path, async (importOriginal) => {
        const original = await importOriginal<object>();
        return { ...original, ...change(original) };
      });
    }
    const { proveRules } = await import('./prove-rules.ts');
    expect((await proveRules(magazine, { cases: 3000, seed: 1 })).failures).not.toEqual([]);
  },
  240_000,
);
