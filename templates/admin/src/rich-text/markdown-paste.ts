/** What the Markdown editor takes from the clipboard, or of what is dropped: formatted text and images, as Markdown. */
import { type MediaFile, storable } from '../media/media-file.ts';
import { printMarkdown } from './print-markdown.ts';
import { readHtml } from './read-html.ts';
import { isFormatted, type RichBlock } from './rich-content.ts';
import { hasData, imagesOf, type PastedImages } from './store-images.ts';

/** Only images from the web can be shown; others were on the disk of whoever has copied them. */
function isShown(block: RichBlock): boolean {
  return block.kind !== 'image' || /^(?:https?:|\/)/iu.test(block.url);
}

/** The Markdown of images. */
export function markdownOfFiles(files: readonly MediaFile[]): string {
  return files
    .map(storable)
    .map(({ name, alternativeText, url }) => printMarkdown([{ kind: 'image', alt: alternativeText ?? name, url }]))
    .join('\n');
}

/** The Markdown to insert; undefined where the editor does what it does by default. */
export function markdownIn(data: DataTransfer, images: PastedImages): Promise<string> | undefined {
  // Code editors give their text colors.
  const html = data.types.includes('vscode-editor-data') ? '' : data.getData('text/html');
  const blocks = html === '' ? [] : readHtml(html);
  const files = imagesOf(data);
  // Office programs add a picture of the text.
  if (files.length > 0 && blocks.every(({ kind }) => kind === 'image')) {
    return images.store(files).then(markdownOfFiles);
  }
  if (!isFormatted(blocks)) return undefined;
  const isComplete = (found: readonly RichBlock[]): readonly RichBlock[] => {
    if (!found.every(isShown)) images.reportMissing();
    return found.filter(isShown);
  };
  const hasImages = blocks.some((block) => block.kind === 'image' && hasData(block));
  const complete = hasImages ? images.storeIn(blocks) : Promise.resolve(blocks);
  return complete.then((found) => printMarkdown(isComplete(found)));
}
