/**
 * Multipart bodies of entries. Servers without files accept them too: there, a form holds `data` alone. What parses them is loaded by
 * the first one.
 */
import { late } from '../../base/late.ts';
import type { Feature } from '../../http/feature.ts';
import { formReader, type FormReader } from '../../http/state.ts';

const loadEntryForm = late(() => import('./entry-form.ts'));

const readForm: FormReader = async (ctx) => {
  const { readEntryForm } = await loadEntryForm();
  return readEntryForm(ctx);
};

/** Has `readData` accept forms. */
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
