/**
 * Reads HTML from the clipboard, as word processors and web pages put it there. Their formatting is in inline styles, which CSP
 * keeps the browser from applying: they are read as text.
 */
import { type RichBlock, type RichImage, type RichItem, type Run, SAFE_URL } from './rich-content.ts';

type Marks = Omit<Run, 'text'>;
type Style = ReadonlyMap<string, string>;

/** An item of a list, which Word and Google Docs give a level instead of nesting it. */
interface LeveledItem extends RichItem {
  readonly level: number;
  readonly isOrdered: boolean;
  /** They can't be part of an item, and follow the list. */
  readonly images: readonly RichImage[];
}

/** Finished blocks, and those that are not finished: a text, or a list. */
interface Output {
  readonly blocks: RichBlock[];
  runs: Run[];
  items: LeveledItem[];
}

const SKIPPED = new Set(['SCRIPT', 'STYLE', 'TITLE', 'TEMPLATE', 'NOSCRIPT', 'IFRAME', 'OBJECT', 'SELECT', 'TEXTAREA']);
const HEADING = /^H(?<level>[1-6])$/u;
const BLOCK =
  /^(?:ADDRESS|ARTICLE|ASIDE|BODY|DD|DETAILS|DIV|DL|DT|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|P|SECTION|SUMMARY)$/u;
const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/giu;
const ACTIVE_ATTRIBUTE = /(?<=["'\s/])(?=(?:style|on[a-z]+)\s*=)/giu;
/** What Word writes before the items of an ordered list: `1.`, `a)`, `(iv)`. */
const NUMBER = /^\(?(?:\d+|[a-z]|[ivxlc]+)[.)]/iu;

const MARKS_OF_TAGS: Readonly<Record<string, Marks>> = {
  B: { bold: true },
  STRONG: { bold: true },
  I: { italic: true },
  EM: { italic: true },
  CITE: { italic: true },
  U: { underline: true },
  INS: { underline: true },
  S: { strike: true },
  STRIKE: { strike: true },
  DEL: { strike: true },
  CODE: { code: true },
  KBD: { code: true },
  SAMP: { code: true },
  TT: { code: true },
};

const STYLES = /<style\b[^>]*>[^]*?<\/style\s*>/giu;

/** Renames the attributes that the browser would report as violations of CSP, and removes such elements. */
function inert(html: string): string {
  return html.replaceAll(STYLES, '').replaceAll(TAG, (tag) => tag.replaceAll(ACTIVE_ATTRIBUTE, 'data-'));
}

function styleOf(element: Element): Style {
  const rules = (element.getAttribute('data-style') ?? '').toLowerCase().split(';');
  return new Map(
    rules.map((rule) => {
      const colon = rule.indexOf(':');
      return [rule.slice(0, colon).trim(), rule.slice(colon + 1).trim()];
    }),
  );
}

/** Word's own bullets and numbers are not part of the text either: see `isNumbered`. */
function isHidden({ tagName }: Element, style: Style): boolean {
  return SKIPPED.has(tagName) || style.get('display') === 'none' || style.get('mso-list') === 'ignore';
}

function isBold(weight: string): boolean {
  return weight.startsWith('bold') || Number(weight) >= 600;
}

function linkOf(element: Element): Marks {
  const href = element.getAttribute('href')?.trim() ?? '';
  // A link to a place in the document that it is copied from leads nowhere.
  return element.tagName === 'A' && SAFE_URL.test(href) && !href.startsWith('#') ? { href } : {};
}

/** What a style adds, or takes away: Google Docs wraps everything in a `<b>` of normal weight. */
function marksOfStyle(style: Style, isLink: boolean): Marks {
  const weight = style.get('font-weight');
  const slant = style.get('font-style');
  const line = style.get('text-decoration') ?? style.get('text-decoration-line') ?? '';
  return {
    ...(weight !== undefined && { bold: isBold(weight) }),
    ...(slant !== undefined && { italic: slant === 'italic' || slant === 'oblique' }),
    // Links are underlined anyway.
    ...(line.includes('underline') && !isLink && { underline: true }),
    ...(line.includes('line-through') && { strike: true }),
  };
}

function marksIn(element: Element, style: Style, outer: Marks): Marks {
  const marks = { ...outer, ...MARKS_OF_TAGS[element.tagName], ...linkOf(element) };
  return { ...marks, ...marksOfStyle(style, marks.href !== undefined) };
}

function runOf(text: string, { href, ...marks }: Marks): Run {
  const set = Object.entries(marks).filter(([, isSet]) => isSet);
  return { text, ...Object.fromEntries(set), ...(href !== undefined && { href }) };
}

function haveSameMarks(one: Run, other: Run): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Run>;
  return [...names].every((name) => name === 'text' || one[name] === other[name]);
}

/** Joins runs with the same marks, and removes blanks at the start and the end, before breaks, and repeated ones. */
function tidy(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  const trimEnd = (blanks: RegExp): void => {
    for (let last = result.pop(); last; last = result.pop()) {
      const text = last.text.replace(blanks, '');
      if (text === '') continue;
      result.push({ ...last, text });
      return;
    }
  };
  for (const run of runs) {
    if (run.text === '\n') trimEnd(/ +$/u);
    const last = result.at(-1);
    const text = last === undefined ? run.text.trimStart() : run.text.replace(/\s$/u.test(last.text) ? /^ +/u : '', '');
    if (text === '') continue;
    if (last && haveSameMarks(last, run)) result[result.length - 1] = { ...last, text: last.text + text };
    else result.push({ ...run, text });
  }
  trimEnd(/\s+$/u);
  return result;
}

/** Items that are one level deeper than the one before are its list. */
function listsOf(items: readonly LeveledItem[]): RichBlock[] {
  const lists: { kind: 'list'; isOrdered: boolean; items: RichItem[] }[] = [];
  for (let at = 0, end = 0; at < items.length; at = end) {
    const { level, isOrdered, runs, lists: own } = items[at] as LeveledItem;
    end = items.findIndex((other, index) => index > at && other.level <= level);
    if (end === -1) end = items.length;
    const item = { runs, lists: [...own, ...listsOf(items.slice(at + 1, end))] };
    const last = lists.at(-1);
    if (last?.isOrdered === isOrdered) last.items.push(item);
    else lists.push({ kind: 'list', isOrdered, items: [item] });
  }
  return lists;
}

function newOutput(): Output {
  return { blocks: [], runs: [], items: [] };
}

function endList(output: Output): void {
  const { blocks, items } = output;
  blocks.push(...listsOf(items), ...items.flatMap(({ images }) => images));
  output.items = [];
}

function endText(output: Output, level = 0): void {
  const runs = tidy(output.runs);
  output.runs = [];
  if (runs.length === 0) return;
  endList(output);
  output.blocks.push(level > 0 ? { kind: 'heading', level, runs } : { kind: 'paragraph', runs });
}

function add(output: Output, ...blocks: readonly RichBlock[]): void {
  endText(output);
  endList(output);
  output.blocks.push(...blocks);
}

function blocksIn(element: Element, marks: Marks): readonly RichBlock[] {
  const output = newOutput();
  readChildren(element, marks, output);
  add(output);
  return output.blocks;
}

/** The text of blocks where only one block may be, with `separator` between them. */
function runsOf(blocks: readonly RichBlock[], separator: string): Run[] {
  const lines = blocks.flatMap((block): (readonly Run[])[] => {
    switch (block.kind) {
      case 'code':
        return [[{ text: block.text, code: true }]];
      case 'table':
        return block.rows.map((cells) => runsOfCells(cells));
      case 'list':
        return block.items.flatMap(({ runs, lists }) => [runs, runsOf(lists, separator)]);
      case 'image':
        return [];
      default:
        return [block.runs];
    }
  });
  return lines
    .filter((line) => line.length > 0)
    .flatMap((line, at) => (at > 0 ? [{ text: separator }, ...line] : line));
}

/** The cells of a row as one line. */
export function runsOfCells(cells: readonly (readonly Run[])[]): Run[] {
  return cells.flatMap((runs, at) => (at > 0 ? [{ text: ' | ' }, ...runs] : runs));
}

function imagesIn(blocks: readonly RichBlock[]): RichImage[] {
  return blocks.filter((block) => block.kind === 'image');
}

function itemOf(element: Element, marks: Marks, level: number, isOrdered: boolean): LeveledItem {
  const blocks = blocksIn(element, marks);
  const lists = blocks.filter(({ kind }) => kind === 'list');
  const runs = runsOf(
    blocks.filter(({ kind }) => kind !== 'list'),
    '\n',
  );
  return { level, isOrdered, runs, lists, images: imagesIn(blocks) };
}

/** In Google Docs, nested lists are children of lists; in Word for the web, each item has its own list, and a level. */
function readList(list: Element, marks: Marks, output: Output, level: number): void {
  endText(output);
  for (const child of list.children) {
    const style = styleOf(child);
    if (child.tagName === 'UL' || child.tagName === 'OL') readList(child, marks, output, level + 1);
    else if (!isHidden(child, style)) {
      const own = Number(child.getAttribute('data-aria-level') ?? level);
      output.items.push(itemOf(child, marksIn(child, style, marks), own, list.tagName === 'OL'));
    }
  }
}

/** Whether Word has numbered a paragraph of a list. */
function isNumbered(paragraph: Element): boolean {
  const marker = [...paragraph.querySelectorAll('[data-style]')].find(
    (one) => styleOf(one).get('mso-list') === 'ignore',
  );
  return NUMBER.test(marker?.textContent?.trim() ?? '');
}

function readTable(table: HTMLTableElement, marks: Marks, output: Output): void {
  const rows = [...table.rows].map((row) =>
    [...row.cells].map((cell) => blocksIn(cell, marksIn(cell, styleOf(cell), marks))),
  );
  // A table with one column is there for its layout.
  if (rows.every((cells) => cells.length < 2)) return add(output, ...rows.flat(2));
  const texts = rows.map((cells) => cells.map((blocks) => tidy(runsOf(blocks, ' '))));
  add(output, { kind: 'table', rows: texts.filter((cells) => cells.length > 0) }, ...imagesIn(rows.flat(2)));
}

/** Text with its line breaks, in elements or not. */
function plainText(node: Node): string {
  if (node.nodeName === 'BR') return '\n';
  return node.hasChildNodes() ? [...node.childNodes].map(plainText).join('') : (node.nodeValue ?? '');
}

function readQuote(element: Element, marks: Marks, output: Output): void {
  const blocks = blocksIn(element, marks);
  add(output, ...blocks.map((block): RichBlock => (block.kind === 'paragraph' ? { ...block, kind: 'quote' } : block)));
}

function readBlock(element: Element, marks: Marks, style: Style, output: Output): void {
  endText(output);
  const level = /level(?<level>\d+)/u.exec(style.get('mso-list') ?? '')?.groups?.['level'];
  if (level !== undefined) {
    output.items.push(itemOf(element, marks, Number(level), isNumbered(element)));
    return;
  }
  const heading = HEADING.exec(element.tagName)?.groups?.['level'];
  // Headings are bold anyway.
  readChildren(element, heading === undefined ? marks : { ...marks, bold: false }, output);
  endText(output, Number(heading ?? 0));
}

function readElement(element: Element, outer: Marks, output: Output): void {
  const style = styleOf(element);
  if (isHidden(element, style)) return;
  const marks = marksIn(element, style, outer);
  const { tagName } = element;
  if (tagName === 'BR') output.runs.push({ text: '\n' });
  else if (tagName === 'IMG') {
    const [url, alt] = [element.getAttribute('src') ?? '', element.getAttribute('alt') ?? ''];
    if (url !== '') add(output, { kind: 'image', url, alt });
  } else if (tagName === 'UL' || tagName === 'OL') readList(element, marks, output, 1);
  else if (tagName === 'TABLE') readTable(element as HTMLTableElement, marks, output);
  else if (tagName === 'PRE') add(output, { kind: 'code', text: plainText(element).replace(/\n$/u, '') });
  else if (tagName === 'BLOCKQUOTE') readQuote(element, marks, output);
  else if (BLOCK.test(tagName)) readBlock(element, marks, style, output);
  else readChildren(element, marks, output);
}

function readChildren(parent: Element, marks: Marks, output: Output): void {
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = (node.nodeValue ?? '').replaceAll(/[ \t\r\n\f]+/gu, ' ');
      if (text !== '') output.runs.push(runOf(text, marks));
    } else if (node.nodeType === Node.ELEMENT_NODE) readElement(node as Element, marks, output);
  }
}

/** The content of HTML. It is parsed into a document that loads nothing and runs nothing. */
export function readHtml(html: string): readonly RichBlock[] {
  return blocksIn(new DOMParser().parseFromString(inert(html), 'text/html').body, {});
}
