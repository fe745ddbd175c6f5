/**
 * Lazily loaded modules. Loading fails while the process has no free file descriptors: the request that needs the
 * module then gets a 503, and a later one tries again.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { ServiceUnavailableError } from '../contract/errors.ts';

/** How many files may be open at once while a module is loaded: Node reads its dependencies in parallel. */
const SPARE_DESCRIPTORS = 128;
/** In seconds. */
const RETRY_AFTER = 1;

/**
 * Throws if too few file descriptors are free. Node caches a failed import or package look-up for the life of the
 * process, so loading must not be attempted before it can succeed.
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
 * Imports a module on the first call, and caches it. Throws ServiceUnavailableError if it can't be loaded; the next
 * call tries again.
 */
export function lazyImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
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

/** The synchronous variant, for `require`. */
export function lazyRequire<Module>(load: () => Module): () => Module {
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
