/** Nested lists: reading them level by level must give the same result as one unbounded statement, within the cost limits. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asked,
  type Library,
  librarySettings,
  libraryTypes,
  openLibrary,
  visitor,
} from '../../test-support/query-library.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { compileList } from './compile/compile-list.ts';
import { parseQuery } from './parse-query-string.ts';
import { V4 } from './format.ts';
import { createAllowList } from './readable-attributes.ts';
import { parseListQuery } from './top-level.ts';
import { utf8Of } from './utf8-pieces.ts';

const RELATIONS = {
  book: ['author', 'tags', 'cover', 'gallery', 'seo', 'links', 'zone', 'mentions', 'topic'],
  author: ['books', 'favourite'],
  tag: ['books'],
  article: ['book', 'next', 'previous', 'see', 'localizations'],
} as const;
const TARGETS: Readonly<Record<string, keyof typeof RELATIONS>> = {
  author: 'author',
  books: 'book',
  favourite: 'book',
  tags: 'tag',
  book: 'book',
  next: 'article',
  previous: 'article',
  see: 'article',
  localizations: 'article',
};
const OPTIONS = [
  '',
  'sort=id:desc',
  'pagination[limit]=1',
  'pagination[start]=1&pagination[limit]=2',
  'filters[id][$gt]=1',
  'publicationState=preview',
];

/** Parameters that populate `type` at `prefix`, up to a depth. */
function populated(type: keyof typeof RELATIONS, prefix: string, depth: number): fc.Arbitrary<string[]> {
  return fc
    .subarray([...RELATIONS[type]], { minLength: 1, maxLength: Math.min(3, RELATIONS[type].length) })
    .chain((names) =>
      fc.tuple(...names.map((name) => oneOf(name, `${prefix}[${name}]`, depth))).map((parts) => parts.flat()),
    );
}

function oneOf(name: string, path: string, depth: number): fc.Arbitrary<string[]> {
  const target = TARGETS[name];
  if (target === undefined) {
    const inner = name === 'links' || name === 'zone' ? `${path}[populate]=*` : `${path}=true`;
    return fc.constant([inner]);
  }
  const options = fc.constantFrom(...OPTIONS).map((text) =>
    text
      .split('&')
      .filter(Boolean)
      .map((option) => {
        const [key = '', value = ''] = option.split('=');
        const [first = '', ...rest] = key.split('[');
        return `${path}[${first}]${rest.map((part) => `[${part}`).join('')}=${value}`;
      }),
  );
  if (depth === 0) return options.map((some) => (some.length === 0 ? [`${path}=true`] : some));
  return fc.tuple(options, populated(target, `${path}[populate]`, depth - 1)).map((parts) => parts.flat());
}

const queries = fc.constantFrom<keyof typeof RELATIONS>('book', 'author', 'tag', 'article').chain((type) =>
  fc.integer({ min: 1, max: 3 }).chain((depth) =>
    populated(type, 'populate', depth).map((parameters) => ({
      type,
      query: [...parameters, 'locale=all'].join('&'),
    })),
  ),
);

describe.each(await testedEngines())('on %s', (engine) => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary({}, engine);
  });
  afterAll(() => library?.close());

  /** The entries as built by one statement without bounds, which builds every list each time it is shown. */
  async function unbounded(uid: string, query: string): Promise<unknown> {
    const type = library.type(uid);
    const scope = {
      allowed: createAllowList(libraryTypes),
      format: V4,
      api: librarySettings,
      type,
      caller: visitor,
      refusesHidden: false,
      aliases: false,
      bindings: undefined,
      narrowings: [],
    };
    const parsed = parseListQuery(parseQuery(query).tree(), scope);
    const list = compileList(library.database.dialect, parsed, parsed.locale ?? { kind: 'all' }, undefined);
    const { data } = list.pageOf(await library.database.all(list.statement));
    return JSON.parse(String(utf8Of(data)));
  }

  it('S01: reads by levels what one statement would read', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async ({ type, query }) => {
        const answer = await library.reader.list(library.type(type), asked(query));
        expect(answer.entries()).toEqual(await unbounded(type, query));
      }),
      { numRuns: 60 },
    );
  });

  it('S01: asks for each list of a level once, and for each entry once', async () => {
    library.statements.length = 0;
    const query = 'populate=books.tags.books.tags&fields=name';
    const body = JSON.parse(String((await library.reader.list(library.type('tag'), asked(query))).body));
    expect(body.data[0].attributes.books.data[0].attributes.tags.data[0].attributes.books.data.length).toBeGreaterThan(
      0,
    );
    // One statement for the tags and, for each of the four levels of lists, one for the members and one for the entries.
    expect(library.statements).toHaveLength(1 + 4 * 2);
  });
});

describe('a budget', () => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary({ maxAnswerEntries: 30, maxAnswerSize: 4000 });
  });
  afterAll(() => library?.close());

  const message = (uid: string, query: string): Promise<string> =>
    library.reader.list(library.type(uid), asked(query)).then(
      ({ body }) => `answered ${body.length} bytes`,
      (error: Error) => error.message,
    );

  it('S01: of entries is kept at any depth; the refusal names the path and how to narrow it', async () => {
    expect(await message('tag', 'fields=id&populate[books][fields]=id')).toMatch(/^answered/u);
    const refusal = await message(
      'tag',
      'fields=id&populate[books][fields]=id&populate[books][populate][tags][populate][books][fields]=id',
    );
    expect(refusal).toBe(
      'populate of books.tags.books selects too much: a response may have at most 30 entries. Request fewer entries with pagination[pageSize] or populate[books][populate][tags][populate][books][pagination][pageSize], or leave books.tags.books out and read it with a separate request.',
    );
  });

  it('R01: of bytes is kept with and without lists', async () => {
    expect(await message('book', 'fields=title&pagination[pageSize]=5')).toMatch(/^answered/u);
    expect(await message('book', 'populate=author,tags,links,zone,mentions,gallery')).toContain(
      'a response may have at most 4000 bytes',
    );
    const narrow = await openLibrary({ maxAnswerSize: 500 });
    const list = narrow.reader.list(narrow.type('book'), asked(''));
    await expect(list).rejects.toThrow('The query selects too much: a response may have at most 500 bytes');
    const one = narrow.reader.one(narrow.type('book'), asked('populate=tags,links'), 1);
    await expect(one).rejects.toThrow('at most 500 bytes');
    await narrow.close();
  });
});
