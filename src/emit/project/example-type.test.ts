import { expect, it } from 'vitest';
import { contentType, scalar } from '../../../test/support/content-model.ts';
import { exampleView } from './example-type.ts';

it('examples use the first collection type, an attribute that a list can be sorted by, and a text that requests can set', () => {
  const home = contentType('home', [scalar('title', 'string')], { kind: 'singleType' });
  const note = contentType('note', [
    scalar('data', 'json'),
    scalar('pin', 'string', { private: true }),
    scalar('day', 'date'),
    scalar('number', 'string', { writable: false }),
    scalar('short-text', 'text'),
  ]);
  expect(exampleView([home, note])).toEqual({
    exampleType: 'note',
    exampleRoute: 'notes',
    exampleEntries: '.note',
    exampleAttribute: 'day',
    exampleText: 'short-text',
    exampleTextKey: "'short-text'",
    exampleTools: '`list_notes`, `get_note`, `create_note`, `update_note`, `delete_note`',
    exampleTags: 'note',
  });
  expect(exampleView([home])).toMatchObject({
    exampleType: 'article',
    exampleAttribute: undefined,
    exampleText: 'title',
    exampleTools: expect.stringContaining('`publish_article`') as string,
  });
});
