/** Which components keep their names: all of them, or, with many types, those referred to from several places. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
// @ts-expect-error: plain JavaScript, shared with the benchmark scripts
import { manyTypes } from '../../../test/support/many-types.js';
import { buildContentModel } from '../../model/build-content-model.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { printFile } from '../../files/generated-file.ts';
import { withoutLocations } from '../without-locations.ts';
import { foldComponents } from './fold-components.ts';
import { openapiFile } from './openapi-file.ts';
import { printCompactJson } from '../../files/print-compact-json.ts';

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Parts = { paths: JsonSchema; components: Record<string, Record<string, JsonSchema>> };

/** The parts as printed. */
function withFolded({ paths, components: all }: Parts, foldable: ReadonlyMap<string, number>): unknown {
  const { components, folded } = foldComponents(paths, all, foldable);
  return JSON.parse(printCompactJson({ paths, components }, folded));
}

describe('foldComponents', () => {
  const components = {
    schemas: {
      Sort: { anyOf: [schemaRef('SortKey'), schemaRef('SortTree')] },
      SortKey: { enum: ['id'] },
      SortTree: { properties: { id: schemaRef('SortOrder') }, description: 'A tree.' },
      SortOrder: { enum: ['asc', 'desc'] },
    },
    parameters: { Sort: { name: 'sort', schema: { ...schemaRef('Sort'), description: 'The order.' } } },
  };
  const sort = { $ref: '#/components/parameters/Sort' };
  const refs = (...names: string[]) => new Map(names.map((name) => [`#/components/${name}`, 1]));

  it('writes what one place refers to there, and all that is in it', () => {
    const folded = withFolded(
      { paths: { '/things': { get: { parameters: [sort] } } }, components },
      refs('parameters/Sort', 'schemas/Sort', 'schemas/SortTree', 'schemas/SortOrder'),
    );
    const tree = { properties: { id: { enum: ['asc', 'desc'] } }, description: 'A tree.' };
    const parameter = {
      name: 'sort',
      schema: { anyOf: [schemaRef('SortKey'), tree], description: 'The order.' },
    };
    expect(folded).toEqual({
      paths: { '/things': { get: { parameters: [parameter] } } },
      components: { schemas: { SortKey: { enum: ['id'] } }, parameters: {} },
    });
  });

  it('leaves what is referred to more often, and what it is not told', () => {
    const parts = { paths: { '/things': { get: { parameters: [sort] }, post: { parameters: [sort] } } }, components };
    expect(withFolded(parts, refs('parameters/Sort'))).toEqual(parts);
  });
});

interface Document {
  readonly components: Readonly<Record<'schemas' | 'parameters', Readonly<Record<string, object>>>>;
}

async function namesOfThing(count: number) {
  const { value } = readSchema([{ file: 'schema.yaml', text: (manyTypes as (count: number) => string)(count) }]);
  const model = value && buildContentModel(value).value;
  if (!model) throw new Error('the schema has errors');
  const { components } = JSON.parse(await printFile(openapiFile(withoutLocations(model)))) as Document;
  const own = (names: object) => Object.keys(names).filter((name) => name.startsWith('Thing_0003'));
  return { schemas: own(components.schemas), parameters: own(components.parameters) };
}

describe('openapi.json', () => {
  it('has a name for each part where there are few types', async () => {
    const { schemas, parameters } = await namesOfThing(20);
    expect(schemas).toEqual(expect.arrayContaining(['Thing_0003Attributes', 'Thing_0003CreateRequest']));
    expect(parameters).toHaveLength(4);
  });

  it('has a name for what several places refer to where there are many', async () => {
    const names = await namesOfThing(40);
    const words = ['', 'Nested', 'Create', 'Update', 'Filters', 'NestedFilters'];
    expect(names.schemas.toSorted()).toEqual(words.map((word) => `Thing_0003${word}`).toSorted());
    expect(names.parameters).toEqual(['Thing_0003Fields', 'Thing_0003Populate']);
  });
});
