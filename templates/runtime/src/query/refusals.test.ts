import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, openLibrary, visitor } from '../../test-support/query-library.ts';
import { ForbiddenError, HttpError } from '../contract/errors.ts';
import { queryOf } from './query-of.ts';

/** Names of parameters, attributes and operators, valid and invalid, from which random queries are built. */
const WORDS = [
  'filters populate sort fields pagination locale publicationState _q on limit page pageSize start withCount maxCount',
  'title pages price rating isbn extra author books tags vault cover seo links zone mentions topic id name email *',
  'metaTitle label shared.link createdAt $eq $eqi $ne $in $notIn $contains $containsi $startsWith $between $null $not',
  '$and $or 0 1 __proto__ constructor [ ] =',
]
  .join(' ')
  .split(' ')
  .concat('');

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

/** The message of a refusal, or the body if there was none. Fails for any other error than a 4xx. */
async function answer(query: string, uid = 'book'): Promise<string> {
  try {
    return String((await library.reader.list(library.type(uid), asked(query))).body);
  } catch (error) {
    if (error instanceof HttpError && error.status >= 400 && error.status < 500) return error.message;
    throw error;
  }
}

function or(count: number): string {
  return Array.from({ length: count }, (_, index) => `filters[$or][${index}][title][$ne]=${index}`).join('&');
}

describe('names', () => {
  test('that are private, forbidden or unknown read alike, wherever they stand', async () => {
    const places = [
      (name: string) => `filters[${name}]=x`,
      (name: string) => `filters[${name}][$startsWith]=a`,
      (name: string) => `filters[$or][0][${name}][$null]=true`,
      (name: string) => `filters[$not][${name}]=x`,
      (name: string) => `sort=${name}`,
      (name: string) => `sort[0]=${name}:desc`,
      (name: string) => `sort[${name}]=asc`,
      (name: string) => `fields=${name}`,
      (name: string) => `populate=${name}`,
      (name: string) => `populate[${name}][fields]=id`,
      (name: string) => `populate[books][filters][author][${name}]=x`,
      (name: string) => `populate[books][sort]=author.${name}`,
      (name: string) => `populate[books][populate][author][fields]=${name}`,
    ];
    for (const place of places) {
      const alike = (await answer(place('qqq'), 'author')).replaceAll('qqq', 'NAME');
      expect(alike).toMatch(
        /^Invalid parameter [\w.$]*NAME[\w.$]*: \w+ has no attribute "NAME" that can be used here$/u,
      );
      for (const name of ['email', 'secret', 'nothing', 'constructor', 'toString', 'hasOwnProperty']) {
        expect((await answer(place(name), 'author')).replaceAll(name, 'NAME')).toBe(alike);
      }
    }
  });

  test('that are qualified, quoted or misspelt are refused', async () => {
    for (const name of ['t1.title', 'books.title', '"title"', '`title`', 'TITLE', 'title ', "title'", 'title)']) {
      const message = await answer(`filters[${encodeURIComponent(name)}]=x&fields[0]=title`);
      expect(message).toContain(
        `Invalid parameter filters.${name}: book has no attribute "${name}" that can be used here`,
      );
    }
    expect(await answer('fields=t1.email', 'author')).toContain('Invalid parameter fields.t1.email: ');
  });

  test('N11: that are misspelt are refused with their path and the nearest name', async () => {
    const refusals = {
      'filters[titel]=x': 'filters.titel: book has no attribute "titel" that can be used here; did you mean "title"?',
      'filters[$or][1][author][nmae]=x':
        'filters.$or.0.author.nmae: author has no attribute "nmae" that can be used here; did you mean "name"?',
      'filters[title][$contain]=x': 'filters.title.$contain: there is no "$contain" here; did you mean "$contains"?',
      'sort=author.nam:desc':
        'sort.author.nam: author has no attribute "nam" that can be used here; did you mean "name"?',
      'populate[tags][populate]=boks':
        'populate.tags.populate.boks: tag has no attribute "boks" that can be used here; did you mean "books"?',
      'populate[tags][filter][name]=x': 'populate.tags.filter: there is no "filter" here; did you mean "filters"?',
      'fields=titel': 'fields.titel: book has no attribute "titel" that can be used here; did you mean "title"?',
      'filters[pages][$gt]=x': 'filters.pages.$gt: ',
    };
    for (const [query, message] of Object.entries(refusals)) {
      expect(await answer(query)).toContain(`Invalid parameter ${message}`);
    }
  });

  test('are not suggested where they can not be used either', async () => {
    for (const query of ['filters[zone][text]=x', 'filters[zon][text]=x', 'filters[mentions]=1', 'sort=title.x']) {
      expect([query, await answer(query)]).toEqual([query, expect.stringMatching(/can be used here$/u)]);
    }
  });

  test('of relations that may not be followed are refused in filters and sort', async () => {
    expect(await answer('filters[vault][name]=gold')).toContain('has no attribute "vault" that can be used here');
    expect(await answer('filters[vault]=1')).toContain('has no attribute "vault" that can be used here');
    expect(await answer('filters[vault][$null]=true')).toContain('has no attribute "vault" that can be used here');
    expect(await answer('sort=vault.name')).toContain('has no attribute "vault" that can be used here');
    expect(await answer('filters[author][books][vault]=1')).toContain('has no attribute "vault" that can be used here');
    expect(await answer('filters[shadow][name]=Ann')).toContain('has no attribute "shadow" that can be used here');
    expect(await answer('populate=shadow')).toContain('has no attribute "shadow" that can be used here');
  });

  test('inside components are checked too', async () => {
    for (const query of [
      'filters[seo][hidden]=h1',
      'sort=seo.hidden',
      'populate[seo][fields]=hidden',
      'populate[links][populate][seo][filters][hidden]=h1',
      'populate[zone][on][shared.link][populate][seo][fields]=hidden',
    ]) {
      expect([query, await answer(query)]).toEqual([
        query,
        expect.stringContaining('has no attribute "hidden" that can be used here'),
      ]);
    }
  });
});

test('forms and values that mean nothing are refused, by name', async () => {
  const refusals: readonly (readonly [string, string])[] = [
    ['where[title]=Alpha', 'where'],
    ['_where[title]=x', '_where'],
    ['lookup[x]=1', 'lookup'],
    ['$and[0][title]=x', '$and'],
    ['having=1', 'having'],
    ['select=title', 'select'],
    ['raw=1', 'raw'],
    ['filters=abc', 'filters'],
    ['filters=', 'filters'],
    ['filters[0]=abc', 'filters'],
    ['filters[$eq]=1', '$eq'],
    ['filters[$and]=x', '$and'],
    ['filters[$or][title]=x', '$or'],
    ['filters[$or][0]=', '$or'],
    ['filters[title][$like]=A', '$like'],
    ['filters[title][$EQ]=A', '$EQ'],
    ['filters[title][$eq][foo]=1', 'title'],
    ['filters[title][$in][1)or(1=1]=x', 'title'],
    ['filters[title][$and][0]=x', '$and'],
    ['filters[pages]=abc', 'pages: '],
    ['filters[pages][$in][]=abc', 'pages: '],
    ['filters[pages][$between]=1', 'pages: $between'],
    ['filters[pages][$between][]=1&filters[pages][$between][]=2&filters[pages][$between][]=3', 'pages: $between'],
    ['filters[released]=2024-02-30', 'released: '],
    ['filters[rating]=1e999', 'rating: '],
    ['filters[isbn]=99999999999999999999', 'isbn: '],
    ['filters[extra][k]=1', 'k'],
    ['filters[extra]=1', 'extra'],
    ['filters[zone][text]=x', 'zone'],
    ['filters[mentions]=1', 'mentions'],
    ['filters[seo]=1', 'seo'],
    [`filters[title][$containsi]=${'x'.repeat(2000)}`, 'title: must be at most 1000'],
    ['filters[title][$eq][a]=1&filters[title]=x', 'title'],
    ['sort=author', 'sort.author: must name an attribute of it, such as author.id'],
    ['sort=seo', 'sort.seo: must name an attribute of it, such as seo.id'],
    ['populate[author][sort]=books', 'populate.author.sort.books: such as books.id'],
    ['sort=title:', 'sort.title: must be asc or desc'],
    ['sort=title:up', 'sort.title: must be asc or desc, not "up"'],
    ['sort[author][name]=up', 'sort.author.name: must be asc or desc, not "up"'],
    ['sort=title:asc:desc', 'asc:desc'],
    ['sort=title;drop', 'title;drop'],
    ['sort=title.x', 'title'],
    ['sort=mentions.id', 'mentions'],
    ['sort=-title', '-title'],
    ['fields[title]=true', 'fields'],
    ['fields=author', 'author'],
    ['pagination=abc', 'pagination'],
    ['pagination[page]=abc', 'page: '],
    ['pagination[page]=1.5', 'page: '],
    ['pagination[pageSize]=1e3', 'pageSize: '],
    ['pagination[pageSize]=0x10', 'pageSize: '],
    ['pagination[limit]=99999999999999999999', 'limit: '],
    ['pagination[start][$gt]=1', 'start'],
    ['pagination[size]=1', 'size'],
    ['pagination[withCount]=abc', 'withCount: '],
    ['pagination[maxCount]=many', 'maxCount: '],
    ['publicationState=x', 'publicationState'],
    ['publicationState[]=live', 'publicationState'],
    ["locale=en'", 'locale'],
    ['locale=../../etc', 'locale'],
    ['locale[$ne]=en', 'locale'],
    ['_q[$ne]=x', '_q'],
    ['populate=deep', 'deep'],
    ['populate=title', 'title'],
    ['populate[author]=name', 'name'],
    ['populate[author][0]=books', 'author'],
    ['populate[author][count]=x', 'count'],
    ['populate[author][on][x]=true', 'on'],
    ['populate[author][populate][nothing]=true', 'nothing'],
    ['populate[tags][limit]=abc', 'limit: '],
    ['populate[zone][fields]=text', 'fields'],
    ['populate[zone][on][blocks.nope]=true', 'blocks.nope'],
    ['populate[zone][populate]=nothing', 'nothing'],
    ['populate[mentions][on][nothing]=true', 'nothing'],
  ];
  for (const [query, name] of refusals) {
    const message = await answer(query);
    expect(message).toContain('Invalid parameter ');
    expect([query, name.split(/:? /u).every((word) => message.includes(word)) ? name : message]).toEqual([query, name]);
  }
  expect(await answer('pagination[page]=1&pagination[limit]=1')).toContain('start/limit or page/pageSize');
});

test('unknown parameters beside them are ignored', async () => {
  const plain = await answer('');
  for (const query of ['_limit=2', 'range=[0,9]', 'plugins[i18n][locale]=fr', 'page=x', '__v=1']) {
    expect(await answer(query)).toBe(plain);
  }
});

test('what is too much is refused, with the limit', async () => {
  const deep = 'author.books.author.books.author.books';
  expect(await answer(`populate=${deep}`)).toBe('populate goes deeper than 5 levels');
  expect(await answer(`populate=${deep.replace('.books.author.books', '.books')}`)).toContain('"data":');
  expect(await answer(or(251))).toContain('The filters of the query weigh more than 250');
  expect(await answer(or(250))).toContain('"total":6');
  expect(await answer(`filters${'[$not]'.repeat(20)}[title]=x`)).toBe('filters is nested deeper than 12 levels');
  expect(await answer(`filters${'[author][books]'.repeat(7)}[title]=x`)).toContain('12 levels');
  expect(await answer(`filters${'[author][books]'.repeat(6)}[title]=Gamma&fields=id`)).toContain('"total":2');
  expect(await answer(`sort=${'author.books.'.repeat(3)}title`)).toBe('sort follows more than 5 attributes');
  expect(await answer(Array.from({ length: 60 }, () => 'sort=title').join('&'))).toContain('weigh more than 50');
  const wide =
    'populate[tags][populate][books][populate]=*&populate[author][populate][books][populate]=*&populate[links][populate]=*';
  const narrow = await openLibrary({ maxPopulatedPaths: 20 });
  await expect(narrow.reader.list(narrow.type('book'), asked(wide))).rejects.toThrow('more than 20 populated paths');
  await narrow.close();
  expect(await answer(wide)).toContain('"total":6');
});

test('C08: a parameter of another format is refused, as its client would believe to get something else', async () => {
  expect(await answer('status=draft')).toContain(
    'Invalid parameter status: this format of the API uses publicationState',
  );
});

test('a query that names what the caller may not use is refused before anything is written', async () => {
  for (const query of ['fields=email', 'sort=email']) {
    const checked = library.reader.check(library.type('author'), asked(query));
    await expect(checked).rejects.toThrow('has no attribute "email"');
  }
});

test('what one caller may not see is not remembered for another', async () => {
  const all = { kind: 'user' as const, role: 'editor', permissions: new Set([...visitor.permissions, 'vault.find']) };
  const query = 'populate=vault&fields=id&filters[id]=1';
  expect(String((await library.reader.list(library.type('book'), asked(query, all))).body)).toContain('gold');
  expect(String((await library.reader.list(library.type('book'), asked(query))).body)).not.toContain('gold');
  expect(String((await library.reader.list(library.type('book'), asked(query, all))).body)).toContain('gold');
});

test('no query string is ever answered by anything but an answer or a refusal', async () => {
  const word = fc.constantFrom(...WORDS);
  const text = fc.oneof(
    word,
    fc.string({ maxLength: 6 }),
    fc.constantFrom('1', '-1', 'true', 'title:desc', 'author.name'),
  );
  const steered = fc.tuple(
    fc.constantFrom('filters', 'populate', 'sort', 'fields', 'pagination'),
    fc.array(word, { maxLength: 6 }),
    text,
  );
  const free = fc.tuple(text, fc.array(text, { maxLength: 4 }), text);
  const pair = fc.oneof({ weight: 4, arbitrary: steered }, free);
  const query = fc
    .array(pair, { maxLength: 4 })
    .map((pairs) =>
      pairs.map(([head, path, value]) => `${head}${path.map((p) => `[${p}]`).join('')}=${value}`).join('&'),
    );
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom('book', 'author', 'article'), async (text, uid) => {
      const body = await answer(text, uid);
      // What no visitor may read. Refusals quote the names of a query, which may be anything.
      expect(body).not.toMatch(/@x\.co|"hidden":/u);
      if (body.startsWith('{')) JSON.parse(body);
    }),
    { numRuns: 600 },
  );
});

describe('the other locales of what the caller may not find', () => {
  const blind = { ...visitor, permissions: new Set(['article.preview', 'book.find']) };

  test('are left out where they are populated, by a read and by the answer to a write', async () => {
    const type = library.type('article');
    for (const query of ['populate=localizations', 'populate[localizations][fields]=title', 'populate=*']) {
      const list = await library.reader.list(type, asked(query, blind));
      expect(String(list.body)).toContain('"one"');
      expect(String(list.body)).not.toMatch(/"localizations"|"un"/u);
      const checked = await library.reader.check(type, asked(query, blind));
      const { text } = await library.database.transaction((tx) => library.reader.entry(tx, checked, 1));
      expect(text).not.toMatch(/"localizations"|"un"/u);
      expect(String((await library.reader.list(type, asked(query))).body)).toContain('"un"');
    }
  });

  test('are refused like relations in filters, and where nothing may be hidden', async () => {
    const list = (request: string) => library.reader.list(library.type('article'), asked(request, blind));
    for (const query of ['filters[localizations][title]=un', 'filters[localizations][$null]=true']) {
      await expect(list(query)).rejects.toThrow('has no attribute "localizations" that can be used here');
    }
    const query = queryOf({ populate: 'localizations' }, { refusesHidden: true });
    await expect(library.reader.list(library.type('article'), { caller: blind, query })).rejects.toThrow(
      ForbiddenError,
    );
  });
});

describe('a query that refuses what is hidden', () => {
  const list = (populate: unknown, uid = 'book', refusesHidden = true) =>
    library.reader.list(library.type(uid), { caller: visitor, query: queryOf({ populate }, { refusesHidden }) });

  test.each([
    ['in a list', ['vault']],
    ['as the only name', 'vault'],
    ['with options', { vault: { fields: ['id'] } }],
    ['with all that there is', '*'],
    ['within another', { author: { populate: { books: { populate: ['vault'] } } } }],
    ['with all of another', { author: { populate: { books: { populate: '*' } } } }],
  ])('is refused where it populates that %s', async (_, populate) => {
    await expect(list(populate)).rejects.toThrow(ForbiddenError);
    // Cached separately: the same query without `refusesHidden` is answered, leaving the relation out.
    expect(String((await list(populate, 'book', false)).body)).not.toContain('"vault":');
    await expect(list(populate)).rejects.toThrow(ForbiddenError);
  });

  test('is answered where nothing is hidden', async () => {
    await expect(list('author')).resolves.toBeDefined();
  });
});
