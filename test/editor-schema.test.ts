/** The JSON Schema of the schema language: editors take what a build takes, and complete the names of the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaJsonSchema } from '../src/schema/json-schema.ts';
import { root } from './support/project.ts';

const fixtures = join(root, 'fixtures');
const language = new Ajv({ allowUnionTypes: true, strict: false }).compile(schemaJsonSchema());

function schemaOf(path: string): unknown {
  return parse(readFileSync(join(fixtures, path), 'utf8'));
}

/** What the schema has under a path of keys. */
function at(schema: unknown, ...path: readonly string[]): unknown {
  return path.reduce((value: any, key) => value?.[key], schema);
}

describe('an editor', () => {
  const built = readdirSync(fixtures).filter((name) => !['attacked', 'invalid', 'evolution', 'strapi'].includes(name));
  it.each(built)('takes fixtures/%s, in the language and in the one of the project', (name) => {
    const own = JSON.parse(readProjectSchema(name)) as object;
    const ofProject = new Ajv({ allowUnionTypes: true, strict: false }).compile(own);
    for (const validate of [language, ofProject]) {
      expect(validate(schemaOf(`${name}/schema.yaml`)), JSON.stringify(validate.errors, undefined, 2)).toBe(true);
    }
  });

  /** Those that have no expected tree are small enough for the language alone. */
  function readProjectSchema(name: string): string {
    try {
      return readFileSync(join(fixtures, name, 'expected/content-gen.schema.json'), 'utf8');
    } catch {
      return JSON.stringify(schemaJsonSchema());
    }
  }

  it.each([
    'attribute-as-text',
    'attributes-as-list',
    'missing-space',
    'option-names',
    'relation-kind-as-type',
    'strapi-keys',
    'unknown-options',
    'wrong-shapes',
    'names-invalid',
  ])('underlines what is wrong in fixtures/invalid/%s', (name) => {
    expect(language(schemaOf(`invalid/${name}/schema.yaml`))).toBe(false);
  });

  it('completes the types, components and roles of a project, and takes names that are about to be added', () => {
    const own = JSON.parse(readProjectSchema('every-attribute')) as unknown;
    const names = JSON.stringify(at(own, 'definitions', 'attribute', 'allOf'));
    for (const name of ['"target":', '"component":', '"inversedBy":']) expect(names).toContain(name);
    const schema = schemaOf('every-attribute/schema.yaml') as { contentTypes: object; components: object };
    for (const uid of [...Object.keys(schema.contentTypes), ...Object.keys(schema.components)]) {
      expect(names).toContain(JSON.stringify(uid));
    }
    const future = { attributes: { soon: { type: 'relation', relation: 'oneWay', target: 'not-there-yet' } } };
    expect(language({ contentTypes: { article: future } })).toBe(true);
  });
});
