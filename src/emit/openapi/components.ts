/** All schemas and parameters that a document can refer to. */
import { attributeType, scalarTypes } from '#contract/attribute-types/scalar-type.ts';
import type { RouteGroup } from '#contract/routes/built-in.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import { draftComponents } from '../model-index.ts';
import { COMMON_SCHEMAS, paginationSchema } from './common-schemas.ts';
import type { Described } from './described.ts';
import { entrySchemas, itemSchemas, type NamedSchema } from './entry-schemas.ts';
import { bodyExamples } from './examples.ts';
import { filterName, scalarFilter } from './filter-schemas.ts';
import type { NamesByUid } from './names.ts';
import { commonParameters, typeParameters } from './parameters.ts';
import { componentQuerySchemas, typeQuerySchemas } from './query-schemas.ts';
import { inputSchemas, itemInputSchemas, requestSchemas } from './request-schemas.ts';
import { responseSchemas } from './response-schemas.ts';

/** In one order, whatever loads the modules of the types. */
const SORTED_TYPES = scalarTypes.toSorted();

/** The uids of the types that relations to several types refer to. */
function morphTargets({ contentTypes, components }: Described): ReadonlySet<string> {
  const attributes = [...contentTypes, ...components].flatMap((part) => part.attributes);
  const morphs = attributes
    .filter((attribute) => attribute.kind === 'relation')
    .filter(({ relation }) => relation.startsWith('morph'));
  return new Set(morphs.flatMap(({ targets }) => targets));
}

function ofTypes(model: Described, names: NamesByUid): readonly NamedSchema[] {
  const morphs = morphTargets(model);
  return model.contentTypes.flatMap((type) => {
    const examples = type.builtIn ? {} : bodyExamples(type, names, model.locales[0] ?? 'en');
    const bodies = [...responseSchemas(type, names), ...requestSchemas(type, names)];
    return [
      ...entrySchemas(type, names, morphs.has(type.uid)),
      ...inputSchemas(type, names),
      ...bodies.map(([name, schema]): NamedSchema => {
        const example = examples[name];
        return [name, example ? { ...schema, examples: [example] } : schema];
      }),
      ...typeQuerySchemas(type, names),
    ];
  });
}

function ofComponents(model: Described, names: NamesByUid): readonly NamedSchema[] {
  const inDrafts = draftComponents(model);
  return model.components.flatMap((component) => [
    ...itemSchemas(component, names, inDrafts.has(component.uid)),
    ...itemInputSchemas(component, names),
    ...componentQuerySchemas(component, names),
  ]);
}

/** Schemas and parameters by name, whether or not something refers to them. */
export function componentsOf(
  model: Described,
  groups: readonly RouteGroup[],
  names: NamesByUid,
): Readonly<Record<'schemas' | 'parameters', Readonly<Record<string, JsonSchema>>>> {
  return {
    schemas: {
      ...COMMON_SCHEMAS,
      PaginationQuery: paginationSchema(model.api),
      ...Object.fromEntries(SORTED_TYPES.map((type) => [filterName(type), scalarFilter(type)])),
      ...Object.assign({}, ...SORTED_TYPES.map((type) => attributeType(type).jsonSchema.named)),
      ...Object.assign({}, ...groups.map((group) => group.schemas)),
      ...Object.fromEntries(ofTypes(model, names)),
      ...Object.fromEntries(ofComponents(model, names)),
    },
    parameters: {
      ...commonParameters(model.locales),
      ...Object.fromEntries(model.contentTypes.flatMap((type) => typeParameters(type, names))),
    },
  };
}
