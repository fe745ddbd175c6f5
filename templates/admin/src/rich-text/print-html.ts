/** Prints content as HTML, of the elements that the editor for `blocks` reads. */
import type { RichBlock, RichItem, Run } from './rich-content.ts';
import { runsOfCells } from './read-html.ts';

const MARKS = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['strike', 's'],
  ['code', 'code'],
] as const;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function printRun(run: Run): string {
  const tags = MARKS.filter(([mark]) => run[mark] === true).map(([, tag]) => tag);
  const open = tags.map((tag) => `<${tag}>`).join('');
  const close = tags.toReversed().map((tag) => `</${tag}>`);
  const html = `${open}${escaped(run.text).replaceAll('\n', '<br>')}${close.join('')}`;
  return run.href === undefined ? html : `<a href="${escaped(run.href)}">${html}</a>`;
}

function printRuns(runs: readonly Run[]): string {
  return runs.map(printRun).join('');
}

function printItem({ runs, lists }: RichItem): string {
  return `<li><p>${printRuns(runs)}</p>${printHtml(lists)}</li>`;
}

function printBlock(block: RichBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${printRuns(block.runs)}</h${block.level}>`;
    case 'quote':
      return `<blockquote>${printRuns(block.runs)}</blockquote>`;
    case 'list': {
      const tag = block.isOrdered ? 'ol' : 'ul';
      return `<${tag}>${block.items.map(printItem).join('')}</${tag}>`;
    }
    case 'code':
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case 'table':
      return block.rows.map((cells) => `<p>${printRuns(runsOfCells(cells))}</p>`).join('');
    case 'image':
      // Only stored files can be shown.
      return block.file === undefined ? '' : `<img data-image="${escaped(JSON.stringify(block.file))}">`;
    default:
      return `<p>${printRuns(block.runs)}</p>`;
  }
}

export function printHtml(blocks: readonly RichBlock[]): string {
  return blocks.map(printBlock).join('');
}
