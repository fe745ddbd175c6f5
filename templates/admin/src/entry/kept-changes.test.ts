import { expect, it } from 'vitest';
import type { Attributes, Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import type { FormValues } from '../rest/form-values.ts';
import { changesToKeep, type KeptChanges, restoredChanges, withoutSecrets } from './kept-changes.ts';

const login: Attributes = { name: { type: 'string' }, key: { type: 'password' } };
const index = new ModelIndex({
  types: [],
  components: [{ uid: 'login', displayName: 'Login', attributes: login }],
} as unknown as Model);
const attributes: Attributes = {
  title: { type: 'string' },
  price: { type: 'decimal' },
  secret: { type: 'password' },
  login: { type: 'component', component: 'login', repeatable: false },
  access: { type: 'dynamiczone', components: ['login'] },
  extra: { type: 'json' },
};
const base: FormValues = { title: 'a', price: 1, login: null, access: [], extra: { a: 1 } };

/** What is left of changes after a reload, in which the entry has become `current`. */
function afterReload(values: FormValues, current: FormValues) {
  const kept = changesToKeep(attributes, base, { ...base, ...values }, index);
  if (!kept) return undefined;
  return restoredChanges(JSON.parse(JSON.stringify(kept)) as KeptChanges, attributes, { ...base, ...current }, index);
}

it('changes survive a reload; what was saved meanwhile does not come back', () => {
  expect(afterReload({}, {})).toBeUndefined();
  expect(afterReload({ title: 'b', extra: { a: 2 } }, {})).toEqual({
    values: { title: 'b', extra: { a: 2 } },
    lost: [],
  });
  expect(afterReload({ title: 'b', price: '2.50' }, { title: 'b', price: 2.5 })).toBeUndefined();
  expect(afterReload({ title: null, price: 2 }, { price: 2 })).toEqual({ values: { title: null }, lost: [] });
});

it('of what others have changed meanwhile, a scalar is restored, and a structure is lost', () => {
  const theirs = { title: 'theirs', extra: { a: 3 } };
  expect(afterReload({ title: null }, theirs)).toEqual({ values: { title: null }, lost: [] });
  expect(afterReload({ title: 'mine', extra: { a: 2 } }, theirs)).toEqual({
    values: { title: 'mine' },
    lost: ['extra'],
  });
});

it('passwords are never kept, nor what could hold one', () => {
  const values = { secret: 'x', login: { name: 'n', key: 'x' }, access: [{ __component: 'login', key: 'x' }] };
  expect(changesToKeep(attributes, base, { ...base, ...values }, index)).toBeUndefined();
  expect(withoutSecrets({ ...values, title: 'b' }, attributes, index)).toEqual({ title: 'b' });
});
