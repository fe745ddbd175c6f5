/**
 * Converts between `blocks` of the API and the editor's document. Unknown properties, such as those of plug-ins, are preserved:
 * on nodes in the attribute `rest`, on texts in a mark.
 */
import { textOf } from '../model/text-of.ts';
import type { JSONContent } from '@tiptap/core';

/** A node of `blocks`, with properties by type. */
interface Block {
  readonly type: string;
  readonly children?: readonly Block[];
  readonly [member: string]: unknown;
}

type Mark = NonNullable<JSONContent['marks']>[number];

/** Text modifier → mark of the editor. */
const MODIFIERS: readonly (readonly [string, string])[] = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['underline', 'underline'],
  ['strikethrough', 'strike'],
  ['code', 'code'],
];

function without(block: Block, names: readonly string[]): Record<string, unknown> | null {
  const rest = Object.entries(block).filter(([name]) => !names.includes(name));
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

function textNodes(block: Block, marks: readonly Mark[]): JSONContent[] {
  const rest = without(block, ['type', 'text', ...MODIFIERS.map(([modifier]) => modifier)]);
  const own = MODIFIERS.filter(([modifier]) => block[modifier] === true).map(([, type]) => ({ type }));
  const all = [...marks, ...own, ...(rest ? [{ type: 'rest', attrs: { rest } }] : [])];
  const lines = textOf(block['text']).split('\n');
  return lines.flatMap((text, index) => [
    ...(index > 0 ? [{ type: 'hardBreak', marks: all }] : []),
    ...(text === '' ? [] : [{ type: 'text', text, marks: all }]),
  ]);
}

function inlineNodes(children: readonly Block[] = []): JSONContent[] {
  return children.flatMap((child) => {
    if (child.type !== 'link') return textNodes(child, []);
    const attrs = { href: child['url'], rest: without(child, ['type', 'url', 'children']) };
    return (child.children ?? []).flatMap((text) => textNodes(text, [{ type: 'link', attrs }]));
  });
}

function plainText(children: readonly Block[] = []): string {
  return children.map((child) => (child.type === 'text' ? textOf(child['text']) : plainText(child.children))).join('');
}

/** In the editor, a nested list is part of the preceding item. */
function listNode(block: Block): JSONContent {
  const items: JSONContent[] = [];
  for (const child of block.children ?? []) {
    const last = items.at(-1);
    if (child.type !== 'list') {
      const rest = without(child, ['type', 'children']);
      items.push({
        type: 'listItem',
        attrs: { rest },
        content: [{ type: 'paragraph', content: inlineNodes(child.children) }],
      });
    } else if (last) last.content?.push(listNode(child));
    else items.push({ type: 'listItem', content: [{ type: 'paragraph' }, listNode(child)] });
  }
  const type = block['format'] === 'ordered' ? 'orderedList' : 'bulletList';
  return { type, attrs: { rest: without(block, ['type', 'format', 'children']) }, content: items };
}

function blockNode(block: Block): JSONContent {
  switch (block.type) {
    case 'heading': {
      const rest = without(block, ['type', 'level', 'children']);
      return { type: 'heading', attrs: { level: block['level'], rest }, content: inlineNodes(block.children) };
    }
    case 'list':
      return listNode(block);
    case 'quote':
      return {
        type: 'quote',
        attrs: { rest: without(block, ['type', 'children']) },
        content: inlineNodes(block.children),
      };
    case 'code': {
      const text = plainText(block.children);
      const attrs = { language: block['language'] ?? null, rest: without(block, ['type', 'language', 'children']) };
      return { type: 'codeBlock', attrs, content: text === '' ? [] : [{ type: 'text', text }] };
    }
    case 'image':
      return { type: 'image', attrs: { image: block['image'], rest: without(block, ['type', 'image', 'children']) } };
    default:
      return {
        type: 'paragraph',
        attrs: { rest: without(block, ['type', 'children']) },
        content: inlineNodes(block.children),
      };
  }
}

/** Converts a value to a document; null is an empty document. */
export function documentOf(value: unknown): JSONContent {
  const blocks = Array.isArray(value) ? (value as Block[]) : [];
  return { type: 'doc', content: blocks.length === 0 ? [{ type: 'paragraph' }] : blocks.map(blockNode) };
}

function restOf({ attrs }: { readonly attrs?: Record<string, unknown> | undefined }): Record<string, unknown> {
  return (attrs?.['rest'] as Record<string, unknown> | null | undefined) ?? {};
}

function textBlock({ text, marks = [] }: JSONContent): Block {
  const types = new Set(marks.map(({ type }) => type));
  const modifiers = MODIFIERS.filter(([, type]) => types.has(type)).map(([modifier]) => [modifier, true]);
  const rest = marks.filter(({ type }) => type === 'rest').map(restOf);
  return { type: 'text', text: text ?? '', ...Object.fromEntries(modifiers), ...Object.assign({}, ...rest) };
}

function linkOf({ marks = [] }: JSONContent): Mark | undefined {
  return marks.find(({ type }) => type === 'link');
}

function isSameText(a: Block, b: Block): boolean {
  return JSON.stringify({ ...a, text: '' }) === JSON.stringify({ ...b, text: '' });
}

/** Joins adjacent texts with the same marks, such as the lines of a text. */
function joined(texts: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const text of texts) {
    const last = result.at(-1);
    if (!last || !isSameText(last, text)) result.push(text);
    else result[result.length - 1] = { ...last, text: textOf(last['text']) + textOf(text['text']) };
  }
  return result;
}

function inlineBlocks(nodes: readonly JSONContent[] = []): Block[] {
  const groups: { link: Mark | undefined; texts: Block[] }[] = [];
  for (const node of nodes) {
    const text = textBlock(node.type === 'hardBreak' ? { ...node, text: '\n' } : node);
    const link = linkOf(node);
    const last = groups.at(-1);
    if (last && JSON.stringify(last.link) === JSON.stringify(link)) last.texts.push(text);
    else groups.push({ link, texts: [text] });
  }
  const blocks = groups.flatMap(({ link, texts }) =>
    link
      ? [{ type: 'link', url: link.attrs?.['href'] as string, ...restOf(link), children: joined(texts) }]
      : joined(texts),
  );
  return blocks.length === 0 ? [{ type: 'text', text: '' }] : blocks;
}

function itemBlocks(item: JSONContent): Block[] {
  return (item.content ?? []).map((child) =>
    child.type === 'paragraph'
      ? { type: 'list-item', ...restOf(item), children: inlineBlocks(child.content) }
      : blockOf(child),
  );
}

function blockOf(node: JSONContent): Block {
  const rest = restOf(node);
  const content = node.content ?? [];
  switch (node.type) {
    case 'heading':
      return { type: 'heading', level: node.attrs?.['level'] as number, ...rest, children: inlineBlocks(content) };
    case 'bulletList':
    case 'orderedList': {
      const format = node.type === 'orderedList' ? 'ordered' : 'unordered';
      return { type: 'list', format, ...rest, children: content.flatMap(itemBlocks) };
    }
    case 'quote':
      return { type: 'quote', ...rest, children: inlineBlocks(content) };
    case 'codeBlock': {
      const language: unknown = node.attrs?.['language'];
      const children = [{ type: 'text', text: content.map(({ text }) => text ?? '').join('') }];
      return { type: 'code', ...(typeof language === 'string' && { language }), ...rest, children };
    }
    case 'image':
      return {
        type: 'image',
        image: node.attrs?.['image'] as unknown,
        ...rest,
        children: [{ type: 'text', text: '' }],
      };
    default:
      return { type: 'paragraph', ...rest, children: inlineBlocks(content) };
  }
}

/** Converts a document to a value; null if it is empty. */
export function blocksOf({ content = [] }: JSONContent): readonly Block[] | null {
  const [only] = content;
  const isEmpty = content.length === 0 || (content.length === 1 && only?.type === 'paragraph' && !only.content?.length);
  return isEmpty ? null : content.map(blockOf);
}
