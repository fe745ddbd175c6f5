import { expect, it } from 'vitest';
import type { Attributes } from './model.ts';
import { isVisible } from './visibility.ts';

const attributes: Attributes = {
  kind: { type: 'enumeration', enum: ['link', 'page'] },
  address: { type: 'string', visible: { when: { kind: ['link'] } } },
  hint: { type: 'string', visible: { unless: { address: [null] } } },
};

function visible(name: string, values: Readonly<Record<string, unknown>>): boolean {
  return isVisible(attributes, name, (sibling) => values[sibling]);
}

it('a condition depends on what is visible, and on values that the form knows', () => {
  const link = { kind: 'link', address: 'x' };
  expect([visible('address', link), visible('hint', link)]).toEqual([true, true]);
  const page = { ...link, kind: 'page' };
  expect([visible('address', page), visible('hint', page)]).toEqual([false, false]);
  expect([visible('address', { address: 'x' }), visible('hint', { kind: 'link' })]).toEqual([true, true]);
});
