/** What the parts of the content model are resolved against. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Located,
  SchemaDefinition,
} from '../schema/definition.ts';

export interface ModelContext {
  readonly schema: SchemaDefinition;
  readonly types: ReadonlyMap<string, ContentTypeDefinition>;
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly report: Report;
}

/** What attributes belong to. */
export interface Owner {
  readonly kind: 'contentType' | 'component';
  readonly uid: string;
  readonly localized: boolean;
  readonly attributes: readonly AttributeDefinition[];
}

/** The context of a schema, whose types and components have distinct names. */
export function createContext(schema: SchemaDefinition, report: Report): ModelContext {
  return {
    schema,
    types: new Map(schema.contentTypes.map((type) => [type.uid, type])),
    components: new Map(schema.components.map((component) => [component.uid, component])),
    report,
  };
}

/** All that has attributes: content types, then components. */
export function ownersOf({ contentTypes, components }: SchemaDefinition): readonly Owner[] {
  return [
    ...contentTypes.map(({ uid, localized, attributes }) => ({
      kind: 'contentType' as const,
      uid,
      localized,
      attributes,
    })),
    ...components.map(({ uid, attributes }) => ({ kind: 'component' as const, uid, localized: false, attributes })),
  ];
}

/** The place of an option, or of the attribute where it was not written. */
export function locationOf(
  option: Located<unknown> | undefined,
  fallback: { readonly location: SourceLocation },
): SourceLocation {
  return option?.location ?? fallback.location;
}
