/** The team's own fields, pages and buttons: a module that the server has, if the project has any. */
import { createContext, useContext } from 'react';
import type { AdminOwnPart } from '../../../runtime/src/contract/admin.ts';
import type { Panel, PanelText } from '../../../runtime/src/contract/panel-part.ts';

/** How long its module may take, in milliseconds: one that never loads must not keep the panel from opening. */
const PATIENCE = 15_000;

/** How often a new version is asked for during development, in milliseconds. */
const INTERVAL = 1000;

export interface OwnPart {
  readonly panel: Panel;
  /** Whether there is one that could not be loaded. */
  readonly isBroken: boolean;
}

const NOTHING: OwnPart = { panel: {}, isBroken: false };

/** Reloads the page once the server has another version. What is unsaved is kept. */
function watch(path: string): void {
  let first: string | undefined;
  const look = async (): Promise<void> => {
    const response = await fetch(path);
    if (!response.ok) return;
    const version = await response.text();
    first ??= version;
    if (version !== first) location.reload();
  };
  setInterval(() => {
    // The server may be starting again.
    if (!document.hidden) look().catch(() => undefined);
  }, INTERVAL);
}

let isWatched = false;

/** Loads the team's module; never throws, as the panel works without it. */
export async function loadOwnPart(own: AdminOwnPart | undefined): Promise<OwnPart> {
  if (!own) return NOTHING;
  if (own.version !== undefined && !isWatched) {
    isWatched = true;
    watch(own.version);
  }
  try {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error(`${own.module} takes too long to load`)), PATIENCE);
    });
    const loaded = (await Promise.race([import(/* @vite-ignore */ own.module), late])) as {
      readonly default?: unknown;
    };
    if (typeof loaded.default !== 'object' || loaded.default === null) {
      throw new TypeError('src/extensions/admin/index.ts must export what it adds to the panel by default');
    }
    return { panel: loaded.default, isBroken: false };
  } catch (error) {
    reportError(error);
    return { panel: {}, isBroken: true };
  }
}

const OwnPartContext = createContext<OwnPart>(NOTHING);

export const OwnPartProvider = OwnPartContext.Provider;

export function useOwnPart(): OwnPart {
  return useContext(OwnPartContext);
}

/** A text of the team in a language. */
export function textIn(text: PanelText, language: string): string {
  if (typeof text === 'string') return text;
  return text[language] ?? text['en'] ?? Object.values(text)[0] ?? '';
}
