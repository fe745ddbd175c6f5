/** The content model for the admin page, without the parts that the caller may not see. */
import {
  type AdminAttribute,
  type AdminAttributes,
  type AdminComponent,
  type AdminModel,
  type AdminRelation,
  type AdminSettings,
  type AdminType,
  previewUrlOf,
} from '../../contract/admin.ts';
import type {
  ApiSettings,
  Attribute,
  Component,
  ContentType,
  ContentTypes,
  RelationAttribute,
} from '../../contract/content-type.ts';
import { kindsOf } from '../../contract/item-attributes.ts';
import { type Caller, ENTRY_ACTIONS, may, mayFind } from '../../contract/policy/caller.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import { CROP_ATTRIBUTE } from '../../contract/crop.ts';
import { TAGS_ATTRIBUTE } from '../../contract/upload-tags.ts';
import { FOCAL_POINT_ATTRIBUTE } from '../../contract/focal-point.ts';
import { FOLDER_ATTRIBUTE } from '../../contract/upload-folders.ts';
import { typeName } from '../../contract/type-name.ts';
import { foundWhere } from '../../entries/rules/action-rules.ts';
import { mayRead } from '../../query/rules/permitted-attributes.ts';
import { columnsOf, mainFieldOf } from './default-view.ts';
import { describeRules, refusedIn } from './describe-rules.ts';
import { describeViews } from './describe-views.ts';
import type { AdminServerSettings } from './settings.ts';

/** The input: the parts of the server definition that are described. */
interface Described {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly api: ApiSettings;
  readonly admin?: AdminSettings;
  readonly audit?: true;
  readonly webhooks?: unknown;
  readonly jobs?: boolean;
  readonly resumableUploads?: true;
}

/** What the caller is allowed to see. */
interface View {
  readonly types: ContentTypes;
  readonly caller: Caller;
  mayFind(uid: string): boolean;
}

function endpointOf({ kind, uid, pluralName }: ContentType): string {
  return `/api/${kind === 'singleType' ? uid : pluralName}`;
}

function describeRelation(attribute: RelationAttribute, { types, mayFind }: View): AdminRelation | undefined {
  const { type, relation, many, target, inverse, storage } = attribute;
  const described = { type, relation, multiple: many };
  if (storage.kind === 'morph') return { ...described, targets: Object.keys(storage.targets).filter(mayFind) };
  const targetType = target === undefined ? undefined : types.types[target];
  if (target === undefined || targetType === undefined || !mayFind(target)) return undefined;
  const ends = { target, targetEndpoint: endpointOf(targetType) };
  if (inverse === undefined) return { ...described, ...ends };
  if (storage.kind === 'inverseMorph') return { ...described, ...ends, morphBy: inverse };
  const side = storage.kind === 'inverseForeignKey' ? { mappedBy: inverse } : { inversedBy: inverse };
  return { ...described, ...ends, ...side };
}

/** The properties specific to the attribute's type; undefined if the caller may not see the attribute. */
function describeOwn(attribute: Attribute, view: View): AdminAttribute | undefined {
  switch (attribute.type) {
    case 'relation':
      return describeRelation(attribute, view);
    case 'media': {
      const { type, many, allowedTypes } = attribute;
      return { type, multiple: many, ...(allowedTypes && { allowedTypes }) };
    }
    case 'component': {
      const { column: _, private: __, writable: ___, shared: ____, ...rest } = attribute;
      return rest;
    }
    case 'dynamiczone': {
      const { column: _, private: __, writable: ___, shared: ____, ...rest } = attribute;
      return rest;
    }
    default: {
      const { column: _, private: __, writable: ___, shared: ____, claim: _____, ...rest } = attribute;
      return rest;
    }
  }
}

function describeAttribute(attribute: Attribute, view: View): AdminAttribute | undefined {
  const own = describeOwn(attribute, view);
  if (own === undefined) return undefined;
  const { required, visible, private: isPrivate, writable, shared, displayName, description, texts } = attribute;
  return {
    ...own,
    ...(required && { required }),
    ...(visible && { visible }),
    ...(isPrivate && { private: isPrivate }),
    ...(writable === false && { writable }),
    ...(shared && { localized: false }),
    ...(displayName !== undefined && { displayName }),
    ...(description !== undefined && { description }),
    ...(texts && { texts }),
  };
}

function describeAttributes(attributes: ContentType['attributes'], view: View): AdminAttributes {
  const described = Object.entries(attributes).flatMap(([name, attribute]) => {
    const found = describeAttribute(attribute, view);
    return found === undefined ? [] : [[name, found] as const];
  });
  return Object.fromEntries(described);
}

/** `work-item` → `Work item` */
function titleOf(uid: string): string {
  const words = uid.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The attributes that the caller's rules show, with the writes in which they may not be named. */
function ruledAttributes(type: ContentType, view: View): AdminAttributes {
  const { caller } = view;
  const described = Object.entries(describeAttributes(type.attributes, view)).filter(
    ([name]) => mayRead(caller, type, 'one', name) && mayRead(caller, type, 'many', name),
  );
  return Object.fromEntries(
    described.map(([name, attribute]) => {
      const refused = refusedIn(caller, type, name);
      return [name, refused.length === 0 ? attribute : { ...attribute, refusedIn: refused }];
    }),
  );
}

function describeType(type: ContentType, view: View): AdminType {
  const {
    uid,
    kind,
    singularName,
    pluralName,
    displayName,
    description,
    texts,
    admin,
    draftAndPublish,
    schedules,
    trash,
    history,
    localized,
  } = type;
  const attributes = ruledAttributes(type, view);
  const rules = describeRules(view.caller, type);
  // Attributes that the caller may not see have been removed.
  const isThere = (name: string) => Object.hasOwn(attributes, name) || !Object.hasOwn(type.attributes, name);
  const views = describeViews(type, view.types, view.caller);
  return {
    uid,
    name: typeName(uid),
    kind: kind === 'singleType' ? 'single' : 'collection',
    endpoint: endpointOf(type),
    singular: singularName,
    plural: pluralName,
    displayName: displayName ?? titleOf(uid),
    ...(admin?.plural !== undefined && { pluralDisplayName: admin.plural }),
    ...(description !== undefined && { description }),
    ...(texts && { texts }),
    ...(admin?.group !== undefined && { group: admin.group }),
    ...(admin?.icon && { icon: admin.icon }),
    ...(admin?.layout && { layout: admin.layout }),
    mainField: mainFieldOf(type),
    columns: columnsOf(type, view.caller.role).filter(isThere),
    ...(views.length > 0 && { views }),
    draftAndPublish,
    ...(schedules && { schedules }),
    ...(trash !== undefined && { trash }),
    ...(history && { history: true as const }),
    localized,
    ...(rules && { rules }),
    attributes,
  };
}

/** The uids of all components used by these types, including nested ones. */
function usedComponents({ components }: ContentTypes, types: readonly ContentType[]): ReadonlySet<string> {
  const used = new Set<string>();
  const add = (attributes: ContentType['attributes']): void => {
    for (const [, attribute] of kindsOf(attributes).items) {
      for (const uid of attribute.type === 'component' ? [attribute.component] : attribute.components) {
        const component = components[uid];
        if (!component || used.has(uid)) continue;
        used.add(uid);
        add(component.attributes);
      }
    }
  };
  for (const { attributes } of types) add(attributes);
  return used;
}

function describeComponent(
  { uid, displayName, description, texts, attributes }: Component,
  view: View,
): AdminComponent {
  return {
    uid,
    displayName: displayName ?? titleOf(uid.slice(uid.indexOf('.') + 1)),
    ...(description !== undefined && { description }),
    ...(texts && { texts }),
    attributes: describeAttributes(attributes, view),
  };
}

/** The user type without attributes that only the server sets: sessions, codes, provider. */
function describeUsers(users: ContentType, view: View): AdminType {
  const described = describeType(users, view);
  const shown = Object.entries(described.attributes).filter(
    ([name, { private: hidden }]) => !hidden || name === 'password',
  );
  return { ...described, displayName: 'User', attributes: Object.fromEntries(shown) };
}

/** The types in the order that the schema gives them; the others follow. */
function inOrder(types: readonly ContentType[], admin: AdminSettings | undefined): readonly ContentType[] {
  const order = (typeof admin === 'object' && admin.order) || [];
  const placeOf = ({ uid }: ContentType): number => (order.includes(uid) ? order.indexOf(uid) : order.length);
  return order.length === 0 ? types : types.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Whether the caller sees folders: their names would tell of files that a rule hides. */
function hasFolders(file: ContentType, caller: Caller): boolean {
  if (!file.attributes[FOLDER_ATTRIBUTE] || !may(caller, 'find', file.uid)) return false;
  return foundWhere(caller, file) === undefined;
}

/** The types for which the caller has any permission, and the components that these types use. */
export function describeModel(
  { name, contentTypes, api, admin, audit, webhooks, jobs, resumableUploads }: Described,
  caller: Caller,
  { uploads }: Pick<AdminServerSettings, 'uploads'>,
): AdminModel {
  const view: View = {
    types: contentTypes,
    caller,
    mayFind: (uid) => mayFind(caller, uid),
  };
  const { user, file, ...rest } = contentTypes.types;
  const own = Object.values(rest).filter(
    ({ uid }) => !SUBJECTS.has(uid) && ENTRY_ACTIONS.some((action) => may(caller, action, uid)),
  );
  const used = usedComponents(contentTypes, own);
  const previewUrl = previewUrlOf(admin);
  return {
    name,
    types: inOrder(own, admin).map((type) => describeType(type, view)),
    ...(typeof admin === 'object' && admin.order && { isOrdered: true as const }),
    ...(user && view.mayFind('user') && { users: describeUsers(user, view) }),
    components: Object.values(contentTypes.components)
      .filter(({ uid }) => used.has(uid))
      .map((component) => describeComponent(component, view)),
    ...(previewUrl !== undefined && { previewUrl }),
    ...(file && {
      upload: {
        sizeLimit: uploads.maxSize,
        ...(file.trash !== undefined && { trash: file.trash }),
        ...(file.attributes[FOCAL_POINT_ATTRIBUTE] && { focalPoints: true as const }),
        ...(file.attributes[CROP_ATTRIBUTE] && { crops: true as const }),
        ...(hasFolders(file, caller) && { folders: true as const }),
        ...(file.attributes[TAGS_ATTRIBUTE] && { tags: true as const }),
        ...(resumableUploads && { resumable: resumableUploads }),
      },
    }),
    ...(audit && { audit }),
    ...(webhooks !== undefined && { webhooks: true as const }),
    ...(jobs && { jobs: true as const }),
    ...(api.maxCount !== undefined && { maxCount: api.maxCount }),
    format: api.format ?? 'v4',
    documentIds: api.format !== undefined,
  };
}
