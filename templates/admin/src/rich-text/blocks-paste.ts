/** What the editor for `blocks` takes from the clipboard: formatted text, Markdown and images. */
import type { EditorProps, EditorView } from '@tiptap/pm/view';
import { looksLikeMarkdown } from './looks-like-markdown.ts';
import { printHtml } from './print-html.ts';
import { readHtml } from './read-html.ts';
import type { RichBlock } from './rich-content.ts';
import { hasData, imagesOf, type PastedImages } from './store-images.ts';

/** What ProseMirror copies is in its own format. */
function isOwn(html: string): boolean {
  return html.includes('data-pm-slice');
}

function isMissing(block: RichBlock): boolean {
  return block.kind === 'image' && block.file === undefined;
}

async function insertMarkdown(view: EditorView, text: string): Promise<void> {
  const { marked } = await import('marked');
  if (!view.isDestroyed) view.pasteHTML(await marked.parse(text));
}

export function pasteProps(images: PastedImages): EditorProps {
  /** Markdown that is being pasted. */
  let markdown: string | undefined;
  /** What is inserted, with stored images. It must not be read as foreign HTML, whose images have an address. */
  let printed: string | undefined;

  function insert(view: EditorView, blocks: readonly RichBlock[]): void {
    printed = printHtml(blocks);
    if (printed !== '' && !view.isDestroyed) view.pasteHTML(printed);
  }

  async function insertImages(view: EditorView, files: readonly File[]): Promise<void> {
    const stored = await images.store(files);
    insert(
      view,
      stored.map((file): RichBlock => ({ kind: 'image', url: file.url, alt: '', file })),
    );
  }

  async function insertWithImages(view: EditorView, blocks: readonly RichBlock[]): Promise<void> {
    const stored = await images.storeIn(blocks);
    if (stored.some(isMissing)) images.reportMissing();
    insert(view, stored);
  }

  return {
    transformPastedHTML: (html) => (isOwn(html) || html === printed ? html : printHtml(readHtml(html))),
    clipboardTextParser(text, _context, isPlain) {
      // With the shift key, text is pasted as it is.
      if (!isPlain && looksLikeMarkdown(text)) markdown = text;
      // Not a slice: the default.
      return undefined as never;
    },
    handlePaste(view, { clipboardData }) {
      const text = markdown;
      markdown = undefined;
      if (!clipboardData) return false;
      const html = clipboardData.getData('text/html');
      const blocks = html === '' || isOwn(html) ? [] : readHtml(html);
      const files = imagesOf(clipboardData);
      // Office programs add a picture of the text.
      if (files.length > 0 && blocks.every(({ kind }) => kind === 'image') && !isOwn(html)) {
        void insertImages(view, files);
        return true;
      }
      if (blocks.some((block) => block.kind === 'image' && hasData(block))) {
        void insertWithImages(view, blocks);
        return true;
      }
      if (blocks.some(isMissing)) images.reportMissing();
      if (text === undefined) return false;
      void insertMarkdown(view, text);
      return true;
    },
    handleDrop(view, { dataTransfer }) {
      const files = dataTransfer ? imagesOf(dataTransfer) : [];
      if (files.length > 0) void insertImages(view, files);
      return files.length > 0;
    },
  };
}
