import { expect, it } from 'vitest';
import { contentType, scalar } from '../../../test/support/content-model.ts';
import { exampleView } from './example-type.ts';

it('examples use the first collection type, and an attribute that a list can be sorted by', () => {
  const home = contentType('home', [scalar('title', 'string')], { kind: 'singleType' });
  const note = contentType('note', [
    scalar('data', 'json'),
    scalar('pin', 'string', { private: true }),
    scalar('day', 'date'),
  ]);
  expect(exampleView([home, note])).toEqual({
    exampleType: 'note',
    exampleEntries: '.note',
    exampleAttribute: 'day',
  });
  expect(exampleView([home])).toMatchObject({ exampleType: 'article', exampleAttribute: undefined });
});
