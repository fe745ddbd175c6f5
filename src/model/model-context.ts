/** The context in which the parts of the content model are resolved. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Located,
  SchemaDefinition,
  UsersDefinition,
} from '../schema/definition.ts';

/** The built-in type that a schema can refer to without defining it. */
export const USER_TYPE = 'user';

export interface ModelContext {
  readonly schema: SchemaDefinition;
  readonly types: ReadonlyMap<string, ContentTypeDefinition>;
  /**
   * Types that can have the inverse side of a relation: content types, and the built-in `user` if the schema has
   * `users`.
   */
  readonly relatable: ReadonlyMap<string, ContentTypeDefinition>;
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly report: Report;
}

/** The owner of attributes. */
export interface Owner {
  readonly kind: 'contentType' | 'component';
  readonly uid: string;
  readonly localized: boolean;
  /** Whether its entries can be drafts, which may lack required values. */
  readonly draftAndPublish?: boolean;
  readonly attributes: readonly AttributeDefinition[];
  /** Names in the `indexes` of the type; for a component, those in the indexes of the types that use it. */
  readonly indexed?: ReadonlySet<string>;
}

/** The built-in type `user` with the attributes of `users`, as a content type. */
function userDefinition({ location, attributes }: UsersDefinition): ContentTypeDefinition {
  return {
    uid: USER_TYPE,
    location,
    kind: 'collectionType',
    pluralName: undefined,
    tableName: undefined,
    displayName: undefined,
    description: undefined,
    draftAndPublish: false,
    localized: false,
    renamedFrom: undefined,
    indexes: [],
    unique: [],
    search: undefined,
    admin: undefined,
    attributes,
  };
}

function byUid(types: readonly ContentTypeDefinition[]): ReadonlyMap<string, ContentTypeDefinition> {
  return new Map(types.map((type) => [type.uid, type]));
}

/** Where the attributes of a type are written, for hints. */
export function describeOwner(uid: string): string {
  return uid === USER_TYPE ? 'the attributes of `users`' : named(uid);
}

/** The context of a schema whose types and components have distinct names. */
export function createContext(schema: SchemaDefinition, report: Report): ModelContext {
  return {
    schema,
    types: byUid(schema.contentTypes),
    relatable: byUid([...schema.contentTypes, ...(schema.users ? [userDefinition(schema.users)] : [])]),
    components: new Map(schema.components.map((component) => [component.uid, component])),
    report,
  };
}

/** The owner of the attributes that `users` adds. */
export function usersOwner({ attributes }: UsersDefinition): Owner {
  return { kind: 'contentType', uid: USER_TYPE, localized: false, attributes };
}

/** Everything that has attributes: content types, components and users. */
export function ownersOf({ contentTypes, components, users }: SchemaDefinition): readonly Owner[] {
  return [
    ...contentTypes.map(({ uid, localized, attributes }) => ({
      kind: 'contentType' as const,
      uid,
      localized,
      attributes,
    })),
    ...components.map(({ uid, attributes }) => ({ kind: 'component' as const, uid, localized: false, attributes })),
    ...(users ? [usersOwner(users)] : []),
  ];
}

/** The location of an option, or of the attribute if the option is absent. */
export function locationOf(
  option: Located<unknown> | undefined,
  fallback: { readonly location: SourceLocation },
): SourceLocation {
  return option?.location ?? fallback.location;
}
