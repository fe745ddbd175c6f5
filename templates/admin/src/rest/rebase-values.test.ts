import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Attributes, Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import { type FormValues, type ItemValues, NEW_KEY } from './form-values.ts';
import { rebasedValues } from './rebase-values.ts';

const link: Attributes = { label: { type: 'string' }, weight: { type: 'integer' } };
const quote: Attributes = {
  text: { type: 'text' },
  links: { type: 'component', component: 'link', repeatable: true },
};
const attributes: Attributes = {
  title: { type: 'string' },
  extra: { type: 'json' },
  link: { type: 'component', component: 'link', repeatable: false },
  quotes: { type: 'component', component: 'quote', repeatable: true },
  zone: { type: 'dynamiczone', components: ['link', 'quote'] },
};
const components = [
  { uid: 'link', displayName: 'Link', attributes: link },
  { uid: 'quote', displayName: 'Quote', attributes: quote },
];
const index = new ModelIndex({ types: [], components } as unknown as Model);

const text = fc.constantFrom(null, 'a', 'b');
/** Stored items have an id, new ones a key. */
const identity = fc.oneof(
  fc.record({ id: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ [NEW_KEY]: fc.constantFrom('x', 'y') }),
);
function itemOf(values: Record<string, fc.Arbitrary<unknown>>, uid?: string): fc.Arbitrary<ItemValues> {
  const named = uid === undefined ? values : { ...values, __component: fc.constant(uid) };
  return fc.tuple(identity, fc.record(named)).map(([own, rest]) => ({ ...own, ...rest }) as ItemValues);
}
function itemsOf(item: fc.Arbitrary<ItemValues>): fc.Arbitrary<ItemValues[]> {
  const selector = ({ id, __component, [NEW_KEY]: key }: ItemValues) => `${id} ${__component} ${key}`;
  return fc.uniqueArray(item, { maxLength: 3, selector });
}
const linkValues = { label: text, weight: fc.constantFrom(null, 1, 2) };
const quoteValues = { text, links: itemsOf(itemOf(linkValues)) };
const formValues: fc.Arbitrary<FormValues> = fc.record({
  title: text,
  extra: fc.constantFrom(null, { a: 1 }, [1]),
  link: fc.option(itemOf(linkValues)),
  quotes: itemsOf(itemOf(quoteValues)),
  zone: itemsOf(fc.oneof(itemOf(linkValues, 'link'), itemOf(quoteValues, 'quote'))),
});

it('without changes since, a form has what was stored', () => {
  fc.assert(
    fc.property(formValues, formValues, (sent, saved) => {
      expect(rebasedValues(attributes, { sent, now: sent, saved }, index)).toEqual(saved);
    }),
  );
});

it('where the server has stored what was sent, a form keeps its changes since', () => {
  fc.assert(
    fc.property(formValues, formValues, (sent, now) => {
      expect(rebasedValues(attributes, { sent, now, saved: sent }, index)).toEqual(now);
    }),
  );
});

it('changes of a new item are changes of the item that was stored, and keep what a hook has set', () => {
  const sent = { title: 'a', zone: [{ __component: 'link', label: 'one', weight: 1, [NEW_KEY]: 'x' }] };
  const now = {
    title: 'a',
    zone: [
      { __component: 'link', label: 'new', weight: null, [NEW_KEY]: 'y' },
      { __component: 'link', label: 'two', weight: 1, [NEW_KEY]: 'x' },
    ],
  };
  const saved = { title: 'A', zone: [{ __component: 'link', id: 7, label: 'one', weight: 9 }] };
  expect(rebasedValues(attributes, { sent, now, saved }, index)).toMatchObject({
    title: 'A',
    zone: [
      { label: 'new', weight: null, [NEW_KEY]: 'y' },
      { id: 7, label: 'two', weight: 9 },
    ],
  });
});
