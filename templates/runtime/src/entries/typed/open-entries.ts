/** The entry services of a server together with what its hooks and routes call them by. */
import type { Database } from '../../database/database.ts';
import type { Reader } from '../../query/reader.ts';
import { createEntryServices, type EntryDefinition, type EntryServices } from '../create-services.ts';
import type { TypeHooks } from '../hooks.ts';
import { createEntries, type AnyEntries } from './create-entries.ts';

type HooksByType = Readonly<Record<string, TypeHooks | undefined>>;
type AnyHook = (event: object) => unknown;

/** The hooks of one type, called with `entries` in the event. */
function withEntries(hooks: TypeHooks, entries: () => AnyEntries): TypeHooks {
  const bound = Object.entries(hooks).map(([name, hook]) => [
    name,
    typeof hook === 'function'
      ? (event: object) => (hook as AnyHook).call(hooks, { ...event, entries: entries() })
      : hook,
  ]);
  return Object.fromEntries(bound) as TypeHooks;
}

/** `hooks` of a type get `entries` in each event. What is not in `definition.validators` has no entries here. */
export function openEntries({
  database,
  reader,
  definition,
  hooks,
}: {
  readonly database: Database;
  readonly reader: Reader;
  readonly definition: EntryDefinition;
  readonly hooks: HooksByType;
}): { readonly services: EntryServices; readonly entries: AnyEntries } {
  let entries: AnyEntries = {};
  const bound = Object.entries(hooks).map(([uid, own]) => [uid, own && withEntries(own, () => entries)]);
  const services = createEntryServices({
    database,
    reader,
    definition,
    hooks: Object.fromEntries(bound) as HooksByType,
  });
  entries = createEntries(services, definition.contentTypes, Object.keys(definition.validators));
  return { services, entries };
}
