import { marked } from 'marked';
import { expect, it } from 'vitest';
import { looksLikeMarkdown } from './looks-like-markdown.ts';
import { printMarkdown } from './print-markdown.ts';
import type { RichBlock, Run } from './rich-content.ts';

function paragraph(...runs: readonly Run[]): RichBlock {
  return { kind: 'paragraph', runs };
}

/** What readers of the Markdown see. */
function htmlOf(...blocks: readonly RichBlock[]): string {
  return marked.parse(printMarkdown(blocks), { async: false }).replaceAll('\n', '');
}

it('prints marks that share a word, and blanks outside of them', () => {
  const runs = [
    { text: 'plain ' },
    { text: 'bold ', bold: true },
    { text: 'and italic', bold: true, italic: true },
    { text: 'gone', strike: true },
    { text: ' a`b', code: true },
    { text: ' here', href: 'https://example.org/a_(b) c' },
  ];
  expect(htmlOf(paragraph(...runs))).toBe(
    '<p>plain <strong>bold <em>and italic</em></strong><del>gone</del> <code>a`b</code>' +
      ' <a href="https://example.org/a_(b)%20c">here</a></p>',
  );
});

it('prints text that looks like Markdown as that text', () => {
  for (const text of [
    '# no heading',
    '1. no list',
    '- no list',
    '> no quote',
    '+',
    '*no* _emphasis_ [a](b) `c` ~~d~~',
    '<b> &amp; \\',
  ]) {
    const html = htmlOf(paragraph({ text }));
    expect(html).toBe(`<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`);
  }
  expect(printMarkdown([paragraph({ text: 'snake_case and 3 < 4 & more' })])).toBe('snake_case and 3 < 4 & more');
});

it('prints every kind of block', () => {
  const list: RichBlock = {
    kind: 'list',
    isOrdered: true,
    items: [
      {
        runs: [{ text: 'one\nline' }],
        lists: [{ kind: 'list', isOrdered: false, items: [{ runs: [{ text: 'deep' }], lists: [] }] }],
      },
      { runs: [{ text: 'two' }], lists: [] },
    ],
  };
  expect(htmlOf({ kind: 'heading', level: 2, runs: [{ text: 'Title' }] }, list)).toBe(
    '<h2>Title</h2><ol><li>one<br>line<ul><li>deep</li></ul></li><li>two</li></ol>',
  );
  const rows = [
    [[{ text: 'a|b' }], [{ text: 'c', bold: true }]],
    [[{ text: '1' }], []],
  ];
  expect(htmlOf({ kind: 'quote', runs: [{ text: 'said\nso' }] }, { kind: 'table', rows })).toBe(
    '<blockquote><p>said<br>so</p></blockquote>' +
      '<table><thead><tr><th>a|b</th><th><strong>c</strong></th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>',
  );
  expect(htmlOf({ kind: 'code', text: 'a  b' }, { kind: 'image', url: '/uploads/a.png', alt: '[x]' })).toBe(
    '<pre><code>a  b</code></pre><p><img src="/uploads/a.png" alt="[x]"></p>',
  );
});

it('recognizes Markdown by what other text hardly has', () => {
  const markdown = [
    '# Title',
    'a **b** c',
    '- a\n- b',
    '1. a\n2. b',
    '[a](https://b)',
    '> a',
    '| a |\n| - |\n',
    '```\na',
  ];
  expect(markdown.filter((text) => !looksLikeMarkdown(text))).toEqual([]);
  const text = ['#1 of 3', '2 * 3 * 4', '- only one', '1. August', 'a [b] (c)', 'x > y', 'snake_case_name', 'a | b'];
  expect(text.filter(looksLikeMarkdown)).toEqual([]);
});
