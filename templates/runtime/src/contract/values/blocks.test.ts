import { expect, test } from 'vitest';
import { checkBlocks } from './blocks.ts';

const text = { type: 'text', text: 'hi', bold: true };
const link = { type: 'link', url: 'https://e.x/?a=1', children: [text] };

test('accepts what block editors write', () => {
  const item = { type: 'list-item', children: [text, link] };
  const list = { type: 'list', format: 'unordered', children: [item] };
  const value = [
    { type: 'paragraph', children: [text, link] },
    { type: 'heading', level: 6, children: [text] },
    { type: 'quote', children: [text] },
    { type: 'code', children: [text], language: 'ts' },
    { ...list, format: 'ordered', children: [item, list] },
    { type: 'image', image: { url: '/uploads/a.png', width: 1 }, children: [{ type: 'text', text: '' }] },
    {
      type: 'paragraph',
      children: [
        { ...link, url: '/about' },
        { ...link, url: 'mailto:a@b.co' },
      ],
    },
  ];
  expect(checkBlocks(value, ['blocks'])).toEqual([]);
});

test.each<[unknown, string]>([
  ['x', 'blocks'],
  [[{ type: 'nope', children: [] }], 'blocks.0'],
  [[link], 'blocks.0'],
  [[null], 'blocks.0'],
  [[{ type: 'paragraph' }], 'blocks.0.children'],
  [[{ type: 'heading', level: 9, children: [text] }], 'blocks.0.level'],
  [[{ type: 'heading', level: '2', children: [text] }], 'blocks.0.level'],
  [[{ type: 'list', format: 'x', children: [] }], 'blocks.0.format'],
  [[{ type: 'list', format: 'ordered', children: [text] }], 'blocks.0.children.0'],
  [[{ type: 'paragraph', children: [{ type: 'text', text: 5 }] }], 'blocks.0.children.0.text'],
  [[{ type: 'paragraph', children: [{ ...text, bold: 'yes' }] }], 'blocks.0.children.0.bold'],
  [[{ type: 'paragraph', children: [{ ...link, url: 'x' }] }], 'blocks.0.children.0.url'],
  [[{ type: 'paragraph', children: [{ ...link, url: 'java\nscript:alert(1)' }] }], 'blocks.0.children.0.url'],
  [[{ type: 'paragraph', children: [{ ...link, url: 'data:text/html,x' }] }], 'blocks.0.children.0.url'],
  [[{ type: 'paragraph', children: [{ ...link, children: [link] }] }], 'blocks.0.children.0.children.0'],
  [[{ type: 'image', image: { url: 5 }, children: [] }], 'blocks.0.image.url'],
  [[{ type: 'paragraph', children: [{ type: 'text', text: '\0' }] }], 'blocks'],
])('%j fails at %s', (value, path) => {
  expect(checkBlocks(value, ['blocks']).map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('reports every invalid node', () => {
  const value = [{ type: 'nope' }, { type: 'heading', level: 0, children: [5, text] }];
  expect(checkBlocks(value, ['b']).map((issue) => issue.path)).toEqual([
    ['b', '0'],
    ['b', '1', 'level'],
    ['b', '1', 'children', '0'],
  ]);
});
