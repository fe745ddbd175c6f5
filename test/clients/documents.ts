/** The documents that the tools are given. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiFile } from '../../src/emit/openapi/openapi-file.ts';
import { withoutLocations } from '../../src/emit/without-locations.ts';
import { printFile } from '../../src/files/generated-file.ts';
import { buildContentModel } from '../../src/model/build-content-model.ts';
import { readSchema } from '../../src/schema/read-schema.ts';
import { root } from '../support/project.ts';
import { TOOLS } from './tools.ts';

/** Schemas beside this project, of real ones and of recorded conversations; left out where they are not there. */
const BESIDE = { conformance: '../shared/conformance/schema.yaml', foodadvisor: '../shared/real/foodadvisor.yaml' };

function read(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Name → text of a schema. */
export const schemas: ReadonlyMap<string, string> = new Map(
  [
    ['blog', read('fixtures/blog/schema.yaml')],
    ['every-relation', read('fixtures/every-relation/schema.yaml')],
    ['every-attribute', read('fixtures/every-attribute/schema.yaml')],
    ...Object.entries(BESIDE).map(([name, path]) => [name, read(path)] as const),
  ].filter((entry): entry is [string, string] => entry[1] !== undefined),
);

const scale = (await import(join(root, 'test/support/many-types.js'))) as { manyTypes(count: number): string };

/** Types that refer to each other in a ring, so that each is reached from each. */
export const ring = scale.manyTypes;

/** Writes the openapi.json of a schema; answers its path. */
export async function writeDocument(name: string, schema: string): Promise<string> {
  const { value } = readSchema([{ file: `${name}.yaml`, text: schema }]);
  const model = value && buildContentModel(value).value;
  if (!model) throw new Error(`the schema ${name} has errors`);
  const path = join(TOOLS, 'documents', `${name.replace(' ', '-')}.json`);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, await printFile(openapiFile(withoutLocations(model))));
  return path;
}
