/** Prints content as Markdown. Underlining has no equivalent there. */
import type { RichBlock, RichItem, Run } from './rich-content.ts';

/** Characters that Markdown would take for formatting, wherever they are. */
const SPECIAL = /[\\`*[\]~]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)/giu;

/** What would begin a heading, a quote or a list, at the start of a line. */
const AT_START = /^(?<number>\d+)?(?=[#>+-]|[.)]\s)/gmu;

function escaped(text: string): string {
  return text.replaceAll(SPECIAL, String.raw`\$&`);
}

/** Blanks stay outside of marks, which don't take effect next to them. */
function wrap(text: string, before: string, after = before): string {
  const [, start = '', inner = '', end = ''] = /^(\s*)([^]*?)(\s*)$/u.exec(text) ?? [];
  return inner === '' ? text : `${start}${before}${inner}${after}${end}`;
}

function urlText(url: string): string {
  return /[\s()<>]/u.test(url) ? `<${url.replaceAll(/[\s<>]/gu, encodeURIComponent)}>` : url;
}

function codeText(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/gu)].map(([found]) => found.length)) + 1);
  const pad = ticks.length > 1 ? ' ' : '';
  return wrap(text, `${ticks}${pad}`, `${pad}${ticks}`);
}

const WRAPS: readonly (readonly [keyof Run, (text: string, value: Run[keyof Run]) => string])[] = [
  ['href', (text, url) => wrap(text, '[', `](${urlText(String(url))})`)],
  ['bold', (text) => wrap(text, '**')],
  ['italic', (text) => wrap(text, '*')],
  ['strike', (text) => wrap(text, '~~')],
  ['code', (text) => text],
];

/** Adjacent runs share the marks that they have in common: `**bold *and italic***`. */
function printRuns(runs: readonly Run[], [first, ...more] = WRAPS): string {
  if (!first) return runs.map(({ text, code }) => (code === true ? codeText(text) : escaped(text))).join('');
  const [mark, print] = first;
  const groups: Run[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last?.[0] && last[0][mark] === run[mark]) last.push(run);
    else groups.push([run]);
  }
  return groups
    .map((group) => {
      const value = group[0]?.[mark];
      const text = printRuns(group, more);
      return value === undefined || value === false ? text : print(text, value);
    })
    .join('');
}

/** One or more lines, with Markdown's line breaks between them. */
function printText(runs: readonly Run[]): string {
  return printRuns(runs)
    .replaceAll(AT_START, (_found, digits: string | undefined) => `${digits ?? ''}\\`)
    .replaceAll('\n', '  \n');
}

function indented(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`);
}

function printItem({ runs, lists }: RichItem, marker: string): string {
  const lines = [printText(runs), ...lists.map(printBlock)];
  return `${marker}${indented(lines.join('\n'), ' '.repeat(marker.length))}`;
}

function printRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function printTable(rows: readonly (readonly (readonly Run[])[])[]): string {
  const [head = [], ...others] = rows.map((cells) =>
    cells.map((runs) =>
      printRuns(runs)
        .replaceAll('|', String.raw`\|`)
        .replaceAll('\n', ' '),
    ),
  );
  return [head, head.map(() => '---'), ...others].map(printRow).join('\n');
}

function printBlock(block: RichBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${printRuns(block.runs).replaceAll('\n', ' ')}`;
    case 'quote':
      return `> ${indented(printText(block.runs), '> ')}`;
    case 'list':
      return block.items.map((item, at) => printItem(item, block.isOrdered ? `${at + 1}. ` : '- ')).join('\n');
    case 'code':
      return `\`\`\`\n${block.text}\n\`\`\``;
    case 'table':
      return printTable(block.rows);
    case 'image':
      return `![${escaped(block.alt)}](${urlText(block.url)})`;
    default:
      return printText(block.runs);
  }
}

export function printMarkdown(blocks: readonly RichBlock[]): string {
  return blocks.map(printBlock).join('\n\n');
}
