import { expect, it } from 'vitest';
import type { Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { errorPaths, nameOfPath } from './error-paths.ts';

const link: Attributes = { label: { type: 'string' }, url: { type: 'string', displayName: 'Address' } };
const quote: Attributes = {
  text: { type: 'text' },
  source: { type: 'component', component: 'link', repeatable: false },
};
const index = {
  component: (uid: string) => ({ uid, displayName: uid, attributes: uid === 'quote' ? quote : link }),
} as unknown as ModelIndex;
const attributes: Attributes = {
  title: { type: 'string' },
  story: { type: 'blocks' },
  links: { type: 'component', component: 'link', repeatable: true },
  zone: { type: 'dynamiczone', components: ['link', 'quote'] },
};
const values = {
  title: null,
  links: [{}, {}],
  zone: [{ __component: 'link' }, { __component: 'quote', source: {} }],
};

it('finds the fields with errors of the form or the server, in the order of the form', () => {
  const found = { type: 'validate', message: 'rules.required' };
  const ofForm = {
    zone: [undefined, { source: { url: found }, text: found }],
    links: [{}, { url: found }],
    title: found,
  };
  const inOrder = ['title', 'links.1.url', 'zone.1.text', 'zone.1.source.url'];
  expect(errorPaths(ofForm, attributes, values, index)).toEqual(inOrder);
  const ofServer = { zone: { 1: { source: { url: 'a' }, text: 'a' } }, links: { 1: { url: 'a' } }, title: 'a' };
  expect(errorPaths(ofServer, attributes, values, index)).toEqual(inOrder);
  const ofLists = { story: { 0: { text: 'a' } }, links: { root: found }, zone: 'a', hidden: 'a' };
  expect(errorPaths(ofLists, attributes, values, index)).toEqual(['story', 'links', 'zone']);
});

it('names fields as the form does', () => {
  const nameOf = (path: string) => nameOfPath(path.split('.'), attributes, values, index);
  expect(['title', 'links.1.url', 'zone.1.source.url', 'zone.1', 'story.0.text', 'hidden'].map(nameOf)).toEqual([
    'Title',
    'Links 2 › Address',
    'Zone 2 › Source › Address',
    'Zone 2',
    'Story',
    '',
  ]);
});
