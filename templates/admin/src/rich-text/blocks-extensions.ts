/** Editor extensions for exactly the nodes and marks that `blocks` supports. */
import { Extension, Mark, mergeAttributes, Node } from '@tiptap/core';
import { Bold } from '@tiptap/extension-bold';
import { Code } from '@tiptap/extension-code';
import { CodeBlock } from '@tiptap/extension-code-block';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { Italic } from '@tiptap/extension-italic';
import { BulletList } from '@tiptap/extension-list/bullet-list';
import { ListItem } from '@tiptap/extension-list/item';
import { OrderedList } from '@tiptap/extension-list/ordered-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Strike } from '@tiptap/extension-strike';
import { Text } from '@tiptap/extension-text';
import { Underline } from '@tiptap/extension-underline';
import { Gapcursor } from '@tiptap/extensions/gap-cursor';
import { UndoRedo } from '@tiptap/extensions/undo-redo';
import { SAFE_URL } from './rich-content.ts';

const NODES = ['paragraph', 'heading', 'bulletList', 'orderedList', 'listItem', 'quote', 'codeBlock', 'image'];

/** Each block is written in the direction of its own text. */
const Direction = Extension.create({
  name: 'direction',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'listItem', 'quote'],
      attributes: { dir: { default: 'auto', parseHTML: () => 'auto' } },
    },
  ],
});

/** Preserves unknown properties of nodes and links. */
const Rest = Extension.create({
  name: 'restAttributes',
  addGlobalAttributes: () => [{ types: [...NODES, 'link'], attributes: { rest: { default: null, rendered: false } } }],
});

/** Preserves unknown properties of texts. */
const RestMark = Mark.create({
  name: 'rest',
  addAttributes: () => ({ rest: { default: null, rendered: false } }),
  renderHTML: () => ['span', 0],
});

/** A quote contains inline content only. */
const Quote = Node.create({
  name: 'quote',
  group: 'block',
  content: 'inline*',
  defining: true,
  parseHTML: () => [{ tag: 'blockquote' }],
  renderHTML: ({ HTMLAttributes }) => ['blockquote', HTMLAttributes, 0],
});

interface ImageValue {
  readonly url?: string;
  readonly alternativeText?: string | null;
}

const Image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    image: {
      default: null,
      // For the clipboard.
      parseHTML: (image) => JSON.parse(image.getAttribute('data-image') ?? 'null') as unknown,
      renderHTML: ({ image }) => ({ 'data-image': JSON.stringify(image) }),
    },
  }),
  parseHTML: () => [{ tag: 'img[data-image]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const { url, alternativeText } = (node.attrs['image'] ?? {}) as ImageValue;
    return ['img', mergeAttributes(HTMLAttributes, { src: url, alt: alternativeText ?? '' })];
  },
});

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [{ tag: 'a[href]', getAttrs: (link) => SAFE_URL.test(link.getAttribute('href') ?? '') && null }],
  renderHTML: ({ mark, HTMLAttributes }) => {
    const href = String(mark.attrs['href']);
    return ['a', { ...HTMLAttributes, href: SAFE_URL.test(href) ? href : null, rel: 'noreferrer' }, 0];
  },
});

export const EXTENSIONS = [
  Document,
  Paragraph,
  Text,
  Heading,
  BulletList,
  OrderedList,
  ListItem,
  CodeBlock,
  Quote,
  Image,
  HardBreak,
  Bold,
  Italic,
  Underline,
  Strike,
  Code,
  Link,
  RestMark,
  Rest,
  Direction,
  Gapcursor,
  UndoRedo,
];
