/** Reads Strapi's settings for showing the entries of a type, or the items of a component, in the admin panel. */
import { isMembers, member, type StrapiView, textOf } from './strapi-project.ts';

/** Columns that every list has, in Strapi and here. */
const NO_COLUMNS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'publishedAt', 'documentId']);

function labelsOf(metadatas: unknown): ReadonlyMap<string, string> {
  if (!isMembers(metadatas)) return new Map();
  return new Map(
    Object.entries(metadatas).flatMap(([name, about]) => {
      const label = textOf(member(member(about, 'edit'), 'label'));
      return label === undefined || label === name ? [] : [[name, label] as const];
    }),
  );
}

/** The view described by a setting's value; undefined if it is malformed. */
function viewOf(value: unknown): StrapiView | undefined {
  if (!isMembers(value)) return undefined;
  const mainField = textOf(member(member(value, 'settings'), 'mainField'));
  const list = member(member(value, 'layouts'), 'list');
  const columns = (Array.isArray(list) ? list : []).flatMap((name) => textOf(name) ?? []);
  return {
    mainField: mainField === undefined || NO_COLUMNS.has(mainField) ? undefined : mainField,
    columns: columns.filter((name) => !NO_COLUMNS.has(name)),
    labels: labelsOf(member(value, 'metadatas')),
  };
}

/** Returns the value of a record of Strapi's core store, by key. */
export type Store = (key: string) => unknown;

type Owners = readonly { readonly uid: string }[];

/** The views of types and components, by uid. */
export function viewsOf(store: Store, types: Owners, components: Owners): ReadonlyMap<string, StrapiView> {
  const viewsIn = (kind: string, owners: Owners): readonly (readonly [string, StrapiView])[] =>
    owners.flatMap(({ uid }) => {
      const view = viewOf(store(`plugin_content_manager_configuration_${kind}::${uid}`));
      return view === undefined ? [] : [[uid, view] as const];
    });
  return new Map([...viewsIn('content_types', types), ...viewsIn('components', components)]);
}
