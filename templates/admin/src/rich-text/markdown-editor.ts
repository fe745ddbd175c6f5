/** CodeMirror for Markdown, in a shadow root: only there does it use adopted style sheets, which CSP requires. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, LanguageSupport, syntaxHighlighting } from '@codemirror/language';
import { EditorSelection, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

interface Options {
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
  /** What to insert of something that is pasted or dropped; undefined for the editor's default. */
  readonly textOf: (data: DataTransfer) => Promise<string> | undefined;
}

export interface MarkdownEditor {
  /** Replaces the text, as after a form reset; does nothing if it is unchanged, which keeps the cursor. */
  setText(text: string): void;
  /** Wraps the selection. */
  wrap(before: string, after: string): void;
  /** Adds the prefix to each selected line, or removes it. */
  prefixLines(prefix: string): void;
  /** Replaces the selection. */
  insert(text: string): void;
  close(): void;
}

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, textDecoration: 'underline' },
  { tag: [tags.monospace, tags.processingInstruction, tags.url], opacity: '0.75' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '14px', color: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': {
    fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
    minHeight: 'var(--text-min-height, 140px)',
    padding: '8px 0',
    caretColor: 'currentColor',
  },
  '.cm-line': { padding: '0 16px', unicodeBidi: 'plaintext', textAlign: 'start' },
});

function onSelection(
  view: EditorView,
  change: (
    from: number,
    to: number,
  ) => { changes: { from: number; to?: number; insert: string }[]; at: [number, number] },
): void {
  const { from, to } = view.state.selection.main;
  const { changes, at } = change(from, to);
  view.dispatch({ changes, selection: EditorSelection.range(...at), userEvent: 'input' });
  view.focus();
}

function prefixLines(view: EditorView, prefix: string): void {
  const { doc, selection } = view.state;
  const changes = [];
  for (let { number } = doc.lineAt(selection.main.from); number <= doc.lineAt(selection.main.to).number; number += 1) {
    const line = doc.line(number);
    const isThere = line.text.startsWith(prefix);
    changes.push({
      from: line.from,
      to: isThere ? line.from + prefix.length : line.from,
      insert: isThere ? '' : prefix,
    });
  }
  view.dispatch({ changes, userEvent: 'input' });
  view.focus();
}

/** Inserts text once it is there, in place of the selection. Returns whether there will be one. */
function insertLater(view: EditorView, text: Promise<string> | undefined, event: Event): boolean {
  if (!text) return false;
  event.preventDefault();
  void text.then((inserted) => {
    if (view.dom.isConnected) view.dispatch(view.state.replaceSelection(inserted), { userEvent: 'input.paste' });
  });
  return true;
}

export function openMarkdownEditor(
  host: HTMLElement,
  { text, label, isReadOnly, onChange, onBlur, textOf }: Options,
): MarkdownEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    parent: root,
    root,
    doc: text,
    extensions: [
      history(),
      keymap.of([...markdownKeymap, ...defaultKeymap, ...historyKeymap]),
      // Without highlighting of fenced code, whose languages would add half a megabyte.
      new LanguageSupport(markdownLanguage),
      syntaxHighlighting(highlighting),
      theme,
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', dir: 'auto' }),
      EditorView.editable.of(!isReadOnly),
      EditorState.readOnly.of(isReadOnly),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
      EditorView.domEventHandlers({
        blur: onBlur,
        paste: (event, editor) =>
          !isReadOnly && insertLater(editor, event.clipboardData ? textOf(event.clipboardData) : undefined, event),
        dragover(event) {
          // Without this, files can't be dropped.
          if (!isReadOnly && event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
        },
        drop: (event, editor) =>
          !isReadOnly &&
          // What the editor's own text is dragged with has no files.
          event.dataTransfer?.files.length !== 0 &&
          insertLater(editor, event.dataTransfer ? textOf(event.dataTransfer) : undefined, event),
      }),
    ],
  });
  return {
    setText(changed) {
      const { doc } = view.state;
      if (changed !== doc.toString()) view.dispatch({ changes: { from: 0, to: doc.length, insert: changed } });
    },
    wrap: (before, after) =>
      onSelection(view, (from, to) => ({
        changes: [
          { from, insert: before },
          { from: to, insert: after },
        ],
        at: [from + before.length, to + before.length],
      })),
    prefixLines: (prefix) => prefixLines(view, prefix),
    insert: (inserted) =>
      onSelection(view, (from, to) => ({
        changes: [{ from, to, insert: inserted }],
        at: [from + inserted.length, from + inserted.length],
      })),
    close: () => view.destroy(),
  };
}
