/**
 * Multipart bodies of entries. Servers without media accept them too, but then a form may only contain `data`. The parser is loaded for
 * the first form.
 */
import { lazyImport } from '../../base/lazy-import.ts';
import type { Feature } from '../../http/feature.ts';
import { formReader, type FormReader } from '../../http/state.ts';

const loadEntryForm = lazyImport(() => import('./entry-form.ts'));

const readForm: FormReader = async (ctx) => {
  const { readEntryForm } = await loadEntryForm();
  return readEntryForm(ctx);
};

/** Makes `readData` accept forms. */
export const forms: Feature<unknown> = {
  name: 'forms',
  routes: [],
  start: async () => ({
    mounts: [],
    middleware: {
      api: (ctx, next) => {
        formReader.set(ctx, readForm);
        return next();
      },
    },
  }),
};
