/** Queries that leave something out: empty parameters, and unknown names in `populate` where they are ignored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, librarySettings, libraryTypes, openLibrary } from '../../test-support/query-library.ts';
import { V4, V5 } from './format.ts';
import { type IgnoredName, reportingOnce } from './ignored-names.ts';
import { createReader } from './reader.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

describe.each([V4, V5])('empty parameters in $name', (format) => {
  const read = async (query: string) => {
    const answer = await library.reader.list(library.type('book'), { ...asked(query), format });
    return JSON.parse(String(answer.body)) as unknown;
  };

  test('count as absent in each of their notations', async () => {
    const plain = await read('');
    for (const name of ['fields', 'sort', 'populate', 'pagination', 'locale', 'publicationState', 'status', '_q']) {
      for (const notation of ['=', '', '[]=', '[0]=', '[]=&x[]=']) {
        const query = `${name}${notation.replace('x', name)}`;
        expect([query, await read(query)]).toEqual([query, plain]);
      }
    }
    for (const query of [
      'pagination[page]=&pagination[pageSize]=',
      'pagination[withCount]=',
      'fields=&sort=&populate=',
    ]) {
      expect([query, await read(query)]).toEqual([query, plain]);
    }
    expect(await read('fields[0]=title&fields[1]=')).toEqual(await read('fields=title'));
  });

  test('count as absent inside of populate', async () => {
    const plain = await read('populate[tags][sort]=id');
    for (const name of ['fields', 'populate', 'pagination', 'start', 'limit', 'count']) {
      for (const notation of ['=', '[]=', '[0]=']) {
        const query = `populate[tags][sort]=id&populate[tags][${name}]${notation}`;
        expect([query, await read(query)]).toEqual([query, plain]);
      }
    }
  });

  test('are refused for filters, since a restriction may be lost', async () => {
    for (const query of ['filters=', 'filters[]=', 'filters[0]=', 'populate[tags][filters]=']) {
      await expect(read(query)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('filters') });
    }
  });
});

describe('unknown names in populate, with unknownAttributes: ignore', () => {
  const reported: IgnoredName[] = [];
  const read = async (query: string, uid = 'book', format = V4) => {
    const api = { ...librarySettings, unknownAttributes: 'ignore' } as const;
    const reportIgnored = reportingOnce((ignored) => void reported.push(ignored));
    const reader = createReader({ database: library.database, types: libraryTypes, api, reportIgnored });
    const answer = await reader.list(library.type(uid), { ...asked(query), format });
    return JSON.parse(String(answer.body)) as unknown;
  };

  test.each([
    ['populate=deep', '', 'book.deep'],
    ['populate[0]=tags&populate[1]=nope', 'populate=tags', 'book.nope'],
    ['populate[title]=true&populate[tags]=true', 'populate=tags', 'book.title'],
    ['populate=author.shadow', 'populate=author', 'author.shadow'],
    ['populate[author][populate][books][populate]=nope', 'populate=author.books', 'book.nope'],
    ['populate[links][populate]=nope', 'populate=links', 'shared.link.nope'],
    ['populate[zone][populate]=nope', 'populate=zone', 'zone.nope'],
    [
      'populate[zone][on][blocks.nope]=true&populate[zone][on][blocks.quote]=true',
      'populate[zone][on][blocks.quote]=true',
      'zone.blocks.nope',
    ],
    [
      'populate[mentions][on][nope]=true&populate[mentions][on][author]=true',
      'populate[mentions][on][author]=true',
      'mentions.nope',
    ],
    ['populate[mentions][populate][nope]=true', 'populate=mentions', 'mentions.nope'],
  ])('%s is read as %j', async (query, meant, name) => {
    reported.length = 0;
    const answer = await read(query);
    expect(answer).toEqual(await read(meant));
    expect(reported.map((ignored) => `${ignored.owner}.${ignored.name}`)).toEqual([name]);
    // Elsewhere, and in the v5 format, names are checked as ever.
    const [uid, format] = ['book', V5];
    await expect(read(query, uid, format)).rejects.toMatchObject({ status: 400 });
    await expect(library.reader.list(library.type('book'), asked(query))).rejects.toMatchObject({ status: 400 });
  });

  test('other parts of a query are checked all the same', async () => {
    for (const query of ['populate[tags][fields]=nope', 'populate[tags][filters][nope]=1', 'populate[tags][nope]=1']) {
      await expect(read(query)).rejects.toMatchObject({ status: 400 });
    }
  });

  test('are reported once, and only so many', () => {
    const reports: IgnoredName[] = [];
    const report = reportingOnce((ignored) => void reports.push(ignored));
    for (let round = 0; round < 3000; round += 1) {
      report({ owner: 'book', name: `${round % 1500}`.repeat(100), path: 'populate' });
    }
    expect(reports).toHaveLength(1000);
    expect(reports.every(({ name }) => name.length <= 200)).toBe(true);
  });
});
