/**
 * `/admin/preview.js`, for the pages of a site: in the frame of the panel, it follows the unsaved values of the form. Anywhere else it does
 * nothing. It is built on its own, and has at most 3 kB.
 */
import { markOf, SOURCE } from '../../../runtime/src/contract/source-marks.ts';
import { type FromPanel, type FromSite, type PreviewedEntry, PROTOCOL } from './messages.ts';

type Values = Readonly<Record<string, unknown>>;
type Texts = ReadonlyMap<string, string>;
type OnChange = (entry: object, about: Omit<PreviewedEntry, 'entry'>) => void;

/** The attribute of elements that show a text. */
const MARK = 'data-content-source';

const STYLE = `[${MARK}]:is(:hover,:focus){outline:2px solid #1976d2;outline-offset:2px;cursor:pointer}`;

const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[src*="/admin/preview.js"]');
/** Where the panel may be: as the page says, otherwise where this script is from. */
const panels =
  script?.dataset['panel']
    ?.split(/[\s,]+/u)
    .filter((part) => part !== '')
    .map((url) => new URL(url).origin) ?? (script ? [new URL(script.src).origin] : []);

const changes = new Set<OnChange>();
const saves = new Set<() => void>();
let texts: Texts = new Map();
let last: PreviewedEntry | undefined;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of an entry, nested or not, or of a component. */
function sourceOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { attributes } = value;
  return (isObject(attributes) ? attributes : value)[SOURCE] as string | undefined;
}

function mapped(values: Values, change: (value: unknown, name: string) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

function joined(before: unknown, now: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(before)) {
    return now.map((one: unknown) => {
      const source = sourceOf(one);
      return source === undefined
        ? one
        : joined(
            before.find((other) => sourceOf(other) === source),
            one,
          );
    });
  }
  const isSame = isObject(before) && isObject(now) && sourceOf(now) !== undefined && sourceOf(before) === sourceOf(now);
  return isSame ? { ...before, ...mapped(now, (value, name) => joined(before[name], value)) } : now;
}

/** `data` with the unsaved values of an entry wherever it is in there, by its source. */
function merge(data: unknown, entry: object): unknown {
  if (Array.isArray(data)) return data.map((one) => merge(one, entry));
  if (!isObject(data)) return data;
  const source = sourceOf(data);
  return source !== undefined && source === sourceOf(entry)
    ? joined(data, entry)
    : mapped(data, (value) => merge(value, entry));
}

/** The texts of an entry by their marks. */
function textsIn(value: unknown, found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) for (const one of value) textsIn(one, found);
  if (!isObject(value)) return found;
  const source = value[SOURCE] as string | undefined;
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'object' && one !== null) textsIn(one, found);
    else if (source !== undefined) {
      found.set(markOf(source, name), `${(one as string | number | boolean | null) ?? ''}`);
    }
  }
  return found;
}

/** Of plain pages: replaces the text of elements that show just what has changed, and of no others. */
function replaceTexts(before: Texts, now: Texts): void {
  for (const element of document.querySelectorAll(`[${MARK}]`)) {
    const mark = element.getAttribute(MARK) ?? '';
    const text = now.get(mark);
    const isShown = element.childElementCount === 0 && element.textContent.trim() === before.get(mark)?.trim();
    if (text === undefined || !isShown) continue;
    const [first, ...others] = element.childNodes;
    // Frameworks keep their text nodes.
    if (first instanceof Text && others.length === 0) first.data = text;
    else element.textContent = text;
  }
}

function send(message: FromSite): void {
  for (const origin of panels) parent.postMessage(message, origin);
}

function tellChange({ entry, ...about }: PreviewedEntry, tell: OnChange): void {
  tell(entry, about);
}

function onMessage({ source, origin, data }: MessageEvent<FromPanel>): void {
  if (source !== parent || !panels.includes(origin) || data?.contentPreview !== PROTOCOL) return;
  if (data.kind === 'saved') {
    if (saves.size === 0) location.reload();
    for (const tell of saves) tell();
  } else if (data.kind === 'show') {
    document.querySelector(`[${MARK}="${CSS.escape(data.mark)}"]`)?.scrollIntoView({ block: 'center' });
  } else {
    const { contentPreview: _version, kind: _kind, isSaved, ...entry } = data;
    const before = texts;
    texts = textsIn(entry.entry);
    for (const element of document.querySelectorAll<HTMLElement>(`[${MARK}]`)) {
      if (element.tabIndex < 0) element.tabIndex = 0;
    }
    if (isSaved) return;
    last = entry;
    if (changes.size === 0) replaceTexts(before, texts);
    for (const tell of changes) tellChange(entry, tell);
  }
}

/** A click on a text, or Enter, leads to its field. With Ctrl, Alt, Shift or Meta, the page does what it does. */
function onPick(event: MouseEvent | KeyboardEvent): void {
  const element = event.target instanceof Element ? event.target.closest(`[${MARK}]`) : null;
  const isOther = event instanceof KeyboardEvent && (event.key !== 'Enter' || element !== event.target);
  if (!element || isOther || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  send({ contentPreview: PROTOCOL, kind: 'focus', mark: element.getAttribute(MARK) ?? '' });
}

function connect(): void {
  addEventListener('message', onMessage);
  document.addEventListener('click', onPick, true);
  document.addEventListener('keydown', onPick, true);
  // Unlike an element, it needs no permission by the page's content security policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const format = script?.dataset['format'] as 'v4' | 'v5' | undefined;
  const ready = () => send({ contentPreview: PROTOCOL, kind: 'ready', ...(format && { format }) });
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', ready);
  else ready();
}

/** Adds to a set; returns the function that takes it out again. */
function added<T>(set: Set<T>, one: T): () => void {
  set.add(one);
  return () => void set.delete(one);
}

Object.assign(globalThis, {
  contentPreview: {
    /** The mark of an attribute of an entry or component, for `data-content-source`; undefined if it has no source. */
    mark: (of: unknown, attribute: string) => {
      const source = sourceOf(of);
      return source === undefined ? undefined : markOf(source, attribute);
    },
    merge,
    /** Calls `tell` with the values of the form whenever they change. Texts are then no longer replaced. */
    onChange(tell: OnChange) {
      if (last) tellChange(last, tell);
      return added(changes, tell);
    },
    /** Calls `tell` after the form has been saved, in place of loading the page again. */
    onSave: (tell: () => void) => added(saves, tell),
  },
});

if (parent !== globalThis.window) connect();
