import { expect, it } from 'vitest';
import type { Attributes, Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import { listOf } from '../relations/relation-list.ts';
import { differencesOf } from './differences.ts';
import { listChanges } from '../../../runtime/src/contract/history/list-changes.ts';

const link = {
  uid: 'link',
  displayName: 'Link',
  attributes: { label: { type: 'string' }, weight: { type: 'integer' } },
};
const index = new ModelIndex({ types: [], components: [link] } as unknown as Model);
const attributes = {
  title: { type: 'string' },
  secret: { type: 'password', private: true },
  author: { type: 'relation', relation: 'manyToOne', multiple: false, target: 'author' },
  tags: { type: 'relation', relation: 'manyToMany', multiple: true, target: 'tag' },
  cover: { type: 'media', multiple: false },
  gallery: { type: 'media', multiple: true },
  main: { type: 'component', component: 'link', repeatable: false },
  links: { type: 'component', component: 'link', repeatable: true },
  zone: { type: 'dynamiczone', components: ['link'] },
} as const satisfies Attributes;

const ref = (id: number, isDraft = false) => ({ id, title: `entry ${id}`, ...(isDraft && { isDraft }) });
const file = (id: number) => ({ id, name: `${id}.png`, url: `/${id}.png`, mime: 'image/png' });
const published = {
  title: 'Old',
  author: ref(1),
  tags: listOf(
    3,
    [1, 2, 3].map((id) => ref(id)),
  ),
  cover: file(1),
  gallery: [file(1), file(2)],
  main: { id: 1, label: 'main', weight: 1 },
  links: [
    { id: 2, label: 'two', weight: 2 },
    { id: 3, label: 'three', weight: 3 },
  ],
  zone: [{ id: 4, __component: 'link', label: 'four', weight: 4 }],
};
const changes = (other: object) => differencesOf(attributes, published, { ...published, ...other }, index);
const listIn = (other: object) => changes(other).map(({ change }) => change);

it('finds nothing in equal versions, nor in what only one of them shows', () => {
  expect(changes({})).toEqual([]);
  expect(changes({ title: undefined, secret: 'x' })).toEqual([]);
});

it('has values before and after', () => {
  expect(changes({ title: null, author: ref(2), cover: null })).toEqual([
    { name: 'title', attribute: attributes.title, change: { kind: 'value', before: 'Old', after: null } },
    { name: 'author', attribute: attributes.author, change: { kind: 'value', before: 'entry 1', after: 'entry 2' } },
    { name: 'cover', attribute: attributes.cover, change: { kind: 'value', before: file(1), after: null } },
  ]);
});

it('tells what was added to lists, removed from them, and moved', () => {
  expect(
    listIn({
      tags: listOf(
        3,
        [3, 1, 4].map((id) => ref(id)),
      ),
      gallery: [file(2), file(1)],
    }),
  ).toEqual([
    {
      kind: 'list',
      isCut: false,
      changes: [
        { kind: 'removed', key: expect.any(String), from: 2, title: 'entry 2' },
        expect.objectContaining({ kind: 'moved' }),
        { kind: 'added', key: expect.any(String), to: 3, title: 'entry 4' },
      ],
    },
    { kind: 'list', isCut: false, changes: [expect.objectContaining({ kind: 'moved' })] },
  ]);
});

it('leaves out related drafts, which no published list has', () => {
  expect(changes({ tags: listOf(4, [ref(1), ref(9, true), ref(2), ref(3)]) })).toEqual([]);
  expect(differencesOf(attributes, { author: null }, { author: ref(2, true) }, index)).toEqual([]);
  expect(changes({ author: ref(2, true) })).toHaveLength(1);
});

it('says when a list is longer than what was compared', () => {
  const long = Array.from({ length: 100 }, (_, at) => ref(at + 1));
  expect(listIn({ tags: listOf(100, long) })).toMatchObject([{ kind: 'list', isCut: true }]);
});

it('looks into components that are still there', () => {
  const main = { id: 1, label: 'main', weight: 5 };
  const links = [
    { id: 3, label: 'three', weight: 3 },
    { label: 'new', weight: 0, id: 9 },
    { id: 2, label: 'two!', weight: 2 },
  ];
  const inLink = { name: 'label', attribute: link.attributes.label };
  expect(listIn({ main, links, zone: [] })).toMatchObject([
    { kind: 'within', differences: [{ name: 'weight', change: { kind: 'value', before: 1, after: 5 } }] },
    {
      kind: 'list',
      changes: [
        { kind: 'moved', title: 'Link three', from: 2, to: 1 },
        { kind: 'added', title: 'Link new', to: 2 },
        { kind: 'changed', title: 'Link two!', differences: [{ ...inLink, change: { before: 'two', after: 'two!' } }] },
      ],
    },
    { kind: 'list', changes: [{ kind: 'removed', title: 'Link four' }] },
  ]);
  expect(listIn({ main: null })).toMatchObject([{ kind: 'list', changes: [{ kind: 'removed', title: 'Link main' }] }]);
  expect(listIn({ main: { ...main, id: 7 } })).toMatchObject([
    { kind: 'list', changes: [{ kind: 'removed' }, { kind: 'added' }] },
  ]);
});

it('counts as few elements as possible as moved', () => {
  const moved = (before: string, after: string) =>
    listChanges([...before], [...after]).map(({ kind, key, from, to }) => `${kind} ${key} ${from ?? ''}>${to ?? ''}`);
  expect(moved('abcdef', 'bcdefa')).toEqual(['moved a 1>6']);
  expect(moved('abcdef', 'fabcde')).toEqual(['moved f 6>1']);
  expect(moved('abc', 'cba')).toHaveLength(2);
  expect(moved('abc', 'xbc')).toEqual(['removed a 1>', 'added x >1']);
  expect(moved('', 'ab')).toEqual(['added a >1', 'added b >2']);
});
