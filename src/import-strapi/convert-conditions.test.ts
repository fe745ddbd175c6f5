import { describe, expect, it } from 'vitest';
import { convertConditions } from './convert-conditions.ts';
import type { Members } from './strapi-project.ts';

const OTHERS: Readonly<Record<string, Members>> = {
  type: { type: 'enumeration', enum: ['internal', 'external'] },
  pinned: { type: 'boolean' },
  size: { type: 'decimal' },
  circular: { type: 'string', conditions: { visible: { '==': [{ var: 'url' }, 'x'] } } },
};

function converted(visible: unknown) {
  const given = { type: 'string', conditions: { visible } } as Members;
  const attributes = new Map([...Object.entries(OTHERS), ['url', given]]);
  return convertConditions(
    {
      owner: { attributes },
      ownerKind: 'type',
      ownerName: 'link',
      name: 'url',
      given,
    } as never,
    String,
  );
}

const is = (name: string, value: unknown) => ({ '==': [{ var: name }, value] });
const isNot = (name: string, value: unknown) => ({ '!=': [{ var: name }, value] });

describe('conditions of Strapi', () => {
  it.each([
    ['equality', is('type', 'external'), { when: { type: 'external' } }],
    ['inequality', isNot('pinned', true), { unless: { pinned: true } }],
    ['and', { and: [is('type', 'external'), is('pinned', true)] }, { when: { type: 'external', pinned: true } }],
    [
      'or of one attribute',
      { or: [is('type', 'internal'), is('type', 'external')] },
      { when: { type: ['internal', 'external'] } },
    ],
    ['in', { in: [{ var: 'type' }, ['internal']] }, { when: { type: 'internal' } }],
    [
      'two inequalities',
      { and: [isNot('type', 'internal'), isNot('type', null)] },
      { unless: { type: ['internal', null] } },
    ],
  ])('become `visible`: %s', (_name, logic, visible) => {
    expect(converted(logic)).toEqual({ visible });
  });

  it.each([
    ['or of several attributes', { or: [is('type', 'external'), is('pinned', true)] }],
    ['another operator', { '>': [{ var: 'size' }, 1] }],
    ['a type without exact comparison', is('size', 1)],
    ['a value that the enumeration lacks', is('type', 'elsewhere')],
    ['an attribute that is not there', is('kind', 'x')],
    ['a circle', is('circular', 'x')],
    ['inequalities of two attributes', { and: [isNot('type', 'internal'), isNot('pinned', true)] }],
  ])('are told where there is no equivalent: %s', (_name, logic) => {
    expect(converted(logic)).toEqual({ leftOut: `conditions: ${JSON.stringify({ visible: logic })}` });
  });

  it('are absent in most attributes', () => {
    expect(convertConditions({ given: { type: 'string' } } as never, String)).toEqual({});
  });
});
