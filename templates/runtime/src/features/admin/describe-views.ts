/** The views of a list that are for the caller: of the role, and only such as name nothing that the caller may not read. */
import type { Attribute, Component, ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { ListView, ListViewOfRoles } from '../../contract/panel-view.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { isMap } from '../../contract/policy/rule-form.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import type { JsonValue } from '../../contract/values/json.ts';
import { mayRead } from '../../query/rules/permitted-attributes.ts';

interface Looking {
  readonly types: ContentTypes;
  readonly caller: Caller;
}

type Owner = Pick<ContentType, 'attributes'> | Component;

function ownerBehind(attribute: Attribute, { types }: Looking): Owner | undefined {
  if (attribute.type === 'component') return types.components[attribute.component];
  if (attribute.type === 'media') return types.types['file'];
  return attribute.type === 'relation' && attribute.target !== undefined ? types.types[attribute.target] : undefined;
}

/** Whether the caller may read an attribute, and follow it if it leads to other entries. */
function mayUse(owner: Owner, name: string, { types, caller }: Looking): boolean {
  const attribute = Object.hasOwn(owner.attributes, name) ? owner.attributes[name] : undefined;
  const type = 'uid' in owner && Object.hasOwn(types.types, owner.uid) ? types.types[owner.uid] : undefined;
  if (type && !mayRead(caller, type, 'many', name)) return false;
  if (attribute === undefined) return true;
  if (attribute.private) return false;
  return (
    attribute.type !== 'relation' || (attribute.target !== undefined && hasRight(caller, 'related', attribute.target))
  );
}

/** Whether the caller may use everything that a filter names. */
function mayFilter(owner: Owner, filter: JsonValue, looking: Looking): boolean {
  if (Array.isArray(filter)) return filter.every((one: JsonValue) => mayFilter(owner, one, looking));
  if (!isMap(filter)) return true;
  return Object.entries(filter).every(([name, inner]) => {
    if (name.startsWith('$')) return mayFilter(owner, inner, looking);
    if (!mayUse(owner, name, looking)) return false;
    const attribute = owner.attributes[name];
    const behind = attribute && ownerBehind(attribute, looking);
    return !behind || mayFilter(behind, inner, looking);
  });
}

function isFor(type: ContentType, view: ListViewOfRoles, looking: Looking): boolean {
  const { roles, state, sort, filters = {} } = view;
  if (roles && !roles.includes(looking.caller.role)) return false;
  if (state && !hasRight(looking.caller, 'drafts', type.uid)) return false;
  if (sort && !mayUse(type, sort.column, looking)) return false;
  return mayFilter(type, filters, looking);
}

export function describeViews(type: ContentType, types: ContentTypes, caller: Caller): readonly ListView[] {
  const looking = { types, caller };
  const shown = (type.admin?.views ?? []).filter((view) => isFor(type, view, looking));
  return shown.map(({ roles: _roles, columns, ...view }) => ({
    ...view,
    ...(columns && { columns: columns.filter((name) => mayUse(type, name, looking)) }),
  }));
}
