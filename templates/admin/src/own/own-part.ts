/** The team's own fields, pages and buttons: a module that the server has, if the project has any. */
import { createContext, useContext } from 'react';
import type { AdminOwnPart } from '../../../runtime/src/contract/admin.ts';
import type { Panel, PanelText } from '../../../runtime/src/contract/panel-part.ts';

/** How long its module may take, in milliseconds: one that never loads must not keep the panel from opening. */
const PATIENCE = 15_000;

/** The same for the sign-in screen, which goes on without the team's name and colours. */
export const SHORT_PATIENCE = 2000;

/** How often a new version is asked for during development, in milliseconds. */
const INTERVAL = 1000;

export interface OwnPart {
  readonly panel: Panel;
  /** Whether there is one that could not be loaded. */
  readonly isBroken: boolean;
}

const NOTHING: OwnPart = { panel: {}, isBroken: false };

let watching: ReturnType<typeof setInterval> | undefined;

/** Reloads the page once the server has another version than the one that it loads. What is unsaved is kept. */
function watch(module: string, path: string): void {
  const look = async (): Promise<void> => {
    const response = await fetch(path);
    if (response.ok && !module.includes(`/${await response.text()}/`)) location.reload();
  };
  clearInterval(watching);
  watching = setInterval(() => {
    // The server may be starting again.
    if (!document.hidden) look().catch(() => undefined);
  }, INTERVAL);
}

/** Loads the team's module; never throws, as the panel works without it. */
export async function loadOwnPart(own: AdminOwnPart | undefined, patience = PATIENCE): Promise<OwnPart> {
  if (!own) return NOTHING;
  if (own.version !== undefined) watch(own.module, own.version);
  try {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error(`${own.module} takes too long to load`)), patience);
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
