import { expect, test } from 'vitest';
import { librarySettings, libraryTypes } from '../../test-support/query-library.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import { V4 } from './format.ts';
import { type IndexAdvice, indexAdvice } from './missing-index.ts';
import { parseQuery } from './parse-query-string.ts';
import { createAllowList } from './readable-attributes.ts';
import { parseListQuery } from './top-level.ts';

function advice(
  query: string,
  indexes: readonly (readonly string[])[] = [],
  memberIndexes: Readonly<Record<string, string>> = {},
  backwards = false,
): IndexAdvice {
  const { book } = libraryTypes.types;
  if (!book) throw new Error('there are no books');
  const type = { ...book, indexes, memberIndexes };
  const types = { ...libraryTypes, types: { ...libraryTypes.types, book: type } };
  const scope = {
    allowed: createAllowList(types),
    api: librarySettings,
    type,
    caller: serverCaller(types),
    refusesHidden: false,
    aliases: false,
    format: V4,
    bindings: undefined,
    narrowings: [],
  };
  return indexAdvice(type, parseListQuery(parseQuery(query).tree(), scope), {
    looksThroughTexts: query.includes('_q='),
    backwards,
  });
}

test.each([
  ['filters[available]=true&sort=rating:desc', ['available', '-rating']],
  ['filters[pages][$gt]=3', ['pages']],
  ['filters[pages][$gt]=3&sort=pages:desc', ['-pages']],
  ['sort=title', ['title']],
  ['sort=title,id:desc,pages', ['title']],
  ['filters[author]=3&sort=createdAt:desc', ['author', '-createdAt']],
  ['filters[pages][$in]=1&filters[pages][$in]=2&filters[available]=true', ['pages', 'available']],
] as const)('%s lacks %s, unless that is there', (query, index) => {
  expect(advice(query).index).toStrictEqual(index);
  expect(advice(query, [index]).index).toBeUndefined();
  expect(advice(query, [['isbn', ...index]]).index).toStrictEqual(index);
});

test('an index of one attribute serves both directions, one of several its own', () => {
  expect(advice('sort=pages:desc', [['pages']]).index).toBeUndefined();
  expect(advice('filters[available]=1&sort=pages:desc', [['available', 'pages']]).index).toStrictEqual([
    'available',
    '-pages',
  ]);
  const index = ['available', '-pages', 'title'];
  const turned = 'filters[available]=1&sort=pages,title:desc';
  expect(advice(turned, [index], {}, true).index).toBeUndefined();
  expect(advice(turned, [index]).index).toStrictEqual(['available', 'pages', '-title']);
  expect(advice('filters[available]=1&sort=pages,title', [index], {}, true).index).toStrictEqual([
    'available',
    'pages',
    'title',
  ]);
  expect(advice('filters[pages]=1&filters[available]=1', [['available', 'pages', 'title']]).index).toBeUndefined();
});

test.each([
  '',
  'filters[id]=3&sort=title',
  'filters[author]=3',
  'filters[author][id][$eq]=3',
  'sort=id:desc',
  'sort=extra',
])('%s lacks none', (query) => expect(advice(query).index).toBeUndefined());

test.each(['filters[seo][metaTitle]=x', 'filters[seo][metaTitle][$in][0]=x', 'sort=seo.metaTitle:desc,title'])(
  '%s lacks an index inside of the component, unless that is there',
  (query) => {
    expect(advice(query)).toMatchObject({ index: undefined, members: ['seo.metaTitle'], notes: [] });
    const memberIndexes = { 'seo.metaTitle': 'books__seo__meta_title_sort' };
    expect(advice(query, [['seo.metaTitle']], memberIndexes).members).toStrictEqual([]);
  },
);

test('indexes of the type and of its components are advised together', () => {
  expect(advice('filters[available]=true&filters[seo][metaTitle]=x')).toMatchObject({
    index: ['available'],
    members: ['seo.metaTitle'],
  });
});

test('says what no index serves', () => {
  const notes = (query: string) => advice(query).notes.join(' ');
  expect(notes('filters[author][name]=x')).toContain('needs an index in the related type');
  expect(notes('filters[seo][metaTitle][$contains]=x')).toContain('seo, which is stored inside each entry');
  expect(notes('filters[links][label]=x')).toContain('the list links');
  expect(notes('sort=links.rank')).toContain('a list of components');
  expect(notes('sort=author.name')).toContain('Sorting by a relation');
  expect(notes('filters[title][$containsi]=x')).toContain("title: an index can't find parts of a text");
  expect(notes('filters[$or][0][pages]=1')).toContain('$or');
  expect(advice('_q=word')).toMatchObject({ index: undefined, search: ['title'], notes: [] });
});
