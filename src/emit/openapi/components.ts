/** All schemas and parameters that the document can refer to. */
import { attributeType, scalarTypes } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import { type RouteGroup, schemasOf } from '#contract/routes/built-in.ts';
import { type AddedProperties, type JsonSchema, TEXT, TIME } from '#contract/routes/json-schema.ts';
import { draftComponents } from '../model-index.ts';
import { COMMON_SCHEMAS, paginationSchema } from './common-schemas.ts';
import type { Described } from './described.ts';
import { entrySchemas, itemSchemas, type NamedSchema } from './entry-schemas.ts';
import { accountSchemas } from './account-schemas.ts';
import { bodyExamples } from './examples.ts';
import { filterName, scalarFilter } from './filter-schemas.ts';
import { isShort, nameOf, type Scope } from './names.ts';
import { commonParameters, typeParameters } from './parameters.ts';
import { componentQuerySchemas, typeQuerySchemas } from './query-schemas.ts';
import { inputSchemas, itemInputSchemas, requestSchemas } from './request-schemas.ts';
import { responseSchemas } from './response-schemas.ts';

/** Properties that the v5 format adds to responses that are flat in both formats. */
const FLAT_IN_V5: AddedProperties = {
  Account: { documentId: TEXT, publishedAt: TIME },
  UploadedFile: { documentId: TEXT, publishedAt: TIME },
  ServerLocale: { documentId: TEXT },
};

/** Sorted, so that the order does not depend on the order in which the modules of the types are loaded. */
const SORTED_TYPES = scalarTypes.toSorted();

/** The uids of types that are targets of polymorphic relations. */
function morphTargets({ contentTypes, components }: Described): ReadonlySet<string> {
  const attributes = [...contentTypes, ...components].flatMap((part) => part.attributes);
  const morphs = attributes
    .filter((attribute) => attribute.kind === 'relation')
    .filter(({ relation }) => isPolymorphic(relation));
  return new Set(morphs.flatMap(({ targets }) => targets));
}

function ofTypes(model: Described, scope: Scope): readonly NamedSchema[] {
  const morphs = morphTargets(model);
  return model.contentTypes.flatMap((type) => {
    const examples = type.builtIn ? {} : bodyExamples(type, scope, model.locales[0] ?? 'en');
    const bodies = [...responseSchemas(type, scope), ...requestSchemas(type, scope)];
    return [
      ...entrySchemas(type, scope, morphs.has(type.uid)),
      ...inputSchemas(type, scope),
      ...bodies.map(([name, schema]): NamedSchema => {
        // Folded into each operation that returns an entry; the list has the same example.
        const isRepeated = isShort(scope, type.uid) && name === `${nameOf(scope, type.uid)}Response`;
        const example = isRepeated ? undefined : examples[name];
        return [name, example ? { ...schema, examples: [example] } : schema];
      }),
      ...typeQuerySchemas(type, scope),
    ];
  });
}

function ofComponents(model: Described, scope: Scope): readonly NamedSchema[] {
  const inDrafts = draftComponents(model);
  return model.components.flatMap((component) => [
    ...itemSchemas(component, scope, inDrafts.has(component.uid)),
    ...itemInputSchemas(component, scope),
    ...componentQuerySchemas(component, scope),
  ]);
}

/** The v5 versions of responses that are flat in both formats. */
function flatSchemas(groups: readonly RouteGroup[], { shape }: Scope): Readonly<Record<string, JsonSchema>> {
  if (shape.format !== 'v5') return {};
  const flat = Object.entries(schemasOf(groups));
  return Object.fromEntries(
    flat.flatMap(([name, schema]) => {
      const added = FLAT_IN_V5[name];
      return added ? [[name, { ...schema, properties: { ...(schema['properties'] as object), ...added } }]] : [];
    }),
  );
}

/** Schemas and parameters by name, whether or not they are referred to. */
export function componentsOf(
  model: Described,
  groups: readonly RouteGroup[],
  scope: Scope,
): Readonly<Record<'schemas' | 'parameters', Readonly<Record<string, JsonSchema>>>> {
  return {
    schemas: {
      ...COMMON_SCHEMAS,
      ...scope.shape.schemas,
      PaginationQuery: paginationSchema(model.api),
      ...Object.fromEntries(SORTED_TYPES.map((type) => [filterName(type), scalarFilter(type)])),
      ...Object.assign({}, ...SORTED_TYPES.map((type) => attributeType(type).jsonSchema.named)),
      ...schemasOf(groups),
      ...flatSchemas(groups, scope),
      ...accountSchemas(model.contentTypes, scope, flatSchemas(groups, scope)),
      ...Object.fromEntries(ofTypes(model, scope)),
      ...Object.fromEntries(ofComponents(model, scope)),
    },
    parameters: {
      ...commonParameters(model.locales, scope.shape),
      ...Object.fromEntries(model.contentTypes.flatMap((type) => typeParameters(type, scope))),
    },
  };
}
