/**
 * Modules that are loaded by their first use. Loading opens files, which fails where the process has run out of descriptors: then
 * the request fails that needs the module, and a later one tries again.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { ServiceUnavailableError } from '../contract/errors.ts';

/** What the loading of a module with its dependencies may have open at once: Node reads all that a module imports together. */
const SPARE_DESCRIPTORS = 128;
/** In seconds. */
const RETRY_AFTER = 1;

/**
 * Throws where too few files can be opened. Node keeps the failure of an import, and of a look-up of a package, for as long as the
 * process lives: neither must be tried before it can succeed.
 */
function needDescriptors(): void {
  const open: number[] = [];
  try {
    while (open.length < SPARE_DESCRIPTORS) open.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

/**
 * A module that is imported by the first call and then kept. Throws ServiceUnavailableError where it can't be loaded now, which is
 * tried again by the next call.
 */
export function late<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  const attempt = async (): Promise<Module> => {
    try {
      needDescriptors();
      return await load();
    } catch (cause) {
      throw new ServiceUnavailableError(RETRY_AFTER, cause);
    }
  };
  return () => {
    if (loading) return loading;
    const started = attempt();
    loading = started;
    started.catch(() => void (loading = undefined));
    return started;
  };
}

/** The same of a module that is loaded without waiting, by `require`. */
export function lateNow<Module>(load: () => Module): () => Module {
  let loaded: Module | undefined;
  return () => {
    if (loaded !== undefined) return loaded;
    try {
      needDescriptors();
      return (loaded = load());
    } catch (cause) {
      throw new ServiceUnavailableError(RETRY_AFTER, cause);
    }
  };
}
