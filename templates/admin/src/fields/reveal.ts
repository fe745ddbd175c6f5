/** Leads to a field: the items that hide it open, and it is scrolled to and focused. */
import { createContext, useContext, useState, useSyncExternalStore } from 'react';

export interface Reveal {
  /** The field that was asked for last; a new object each time. */
  readonly wanted: () => { readonly path: string } | undefined;
  readonly subscribe: (onChange: () => void) => () => void;
  readonly show: (path: string) => void;
}

/** How long a field may take until it is there, in milliseconds: editors are loaded on demand. */
const PATIENCE = 10_000;

const FOCUSABLE = [
  'input:not([type="hidden"], [aria-hidden="true"], :disabled)',
  'textarea:not([aria-hidden="true"], :disabled)',
  '[role="combobox"]',
  'button:not(:disabled)',
].join(', ');

/** What to focus in a field: the text of an editor rather than its buttons. */
function focusableIn(field: Element): HTMLElement | undefined {
  const inShadow = [...field.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot !== null)?.shadowRoot;
  const editor = (inShadow ?? field).querySelector<HTMLElement>('[contenteditable="true"]');
  return editor ?? field.querySelector<HTMLElement>(FOCUSABLE) ?? undefined;
}

function focusField(path: string): boolean {
  const fields = document.querySelectorAll(`[data-field="${CSS.escape(path)}"]`);
  // Forms below a drawer have fields of the same names.
  const target = [...fields].find((field) => field.closest('[aria-hidden="true"]') === null);
  const focusable = target && focusableIn(target);
  // It may be in a tab that opens only now.
  if (!focusable || focusable.getClientRects().length === 0) return false;
  // The toolbar of the page covers what is at its top.
  focusable.scrollIntoView({ block: 'center' });
  focusable.focus({ preventScroll: true });
  return true;
}

function focusOnceThere(path: string): void {
  if (focusField(path)) return;
  const observer = new MutationObserver(() => {
    if (focusField(path)) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['hidden'] });
  setTimeout(() => observer.disconnect(), PATIENCE);
}

function createReveal(): Reveal {
  const listeners = new Set<() => void>();
  let wanted: { readonly path: string } | undefined;
  return {
    wanted: () => wanted,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    show(path) {
      wanted = { path };
      for (const onChange of listeners) onChange();
      focusOnceThere(path);
    },
  };
}

const RevealContext = createContext<Reveal>(createReveal());

export const RevealProvider = RevealContext.Provider;

/** One for each form. */
export function useNewReveal(): Reveal {
  return useState(createReveal)[0];
}

export function useReveal(): Reveal {
  return useContext(RevealContext);
}

/** The field that was asked for last; a new object each time. */
export function useRevealedField(): { readonly path: string } | undefined {
  const { subscribe, wanted } = useReveal();
  return useSyncExternalStore(subscribe, wanted);
}

/** The index of the item of a list that has to open; a new object each time. */
export function useRevealedItem(source: string): { readonly path: string } | undefined {
  const { subscribe, wanted } = useReveal();
  const found = useSyncExternalStore(subscribe, wanted);
  return found?.path.startsWith(`${source}.`) === true ? found : undefined;
}
