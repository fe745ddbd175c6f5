/** Each hint about a common mistake leads to a schema that builds: it is applied to the letter, and built. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { build } from '../src/build.ts';
import { renderText } from '../src/diagnostics/render-text.ts';
import { resolveReading } from '../src/model/build-content-model.ts';
import { readSchema } from '../src/schema/read-schema.ts';
import { temporaryFolder } from './support/output-project.ts';

/** What is written, what is written instead, and the line of a hint that says so: the second, where it is not given. */
type Change = readonly [written: string, instead: string, hint?: string];

const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'relation-kind-as-type': [
    ['type: manyToOne', 'type: relation, relation: manyToOne'],
    ['type: int ', 'type: integer ', 'did you mean `integer`?'],
  ],
  'attribute-as-text': [
    ['title: string', 'title: { type: string }'],
    ['views: number', 'views: { type: integer }'],
    ['author: manyToOne', 'author: { type: relation, relation: manyToOne, target: article }'],
    ['tag: string', 'tag: { attributes: { title: { type: string } } }'],
  ],
  'attributes-as-list': [
    ['- name: title\n        type: string\n        required: true', 'title: { type: string, required: true }'],
    ['- name: body\n        type: text', 'body: { type: text }'],
    ['- name: seo', 'shared.seo: { attributes: { title: { type: string } } }'],
  ],
  'missing-space': [
    ['type:string', 'type: string'],
    ['required:true', 'required: true'],
    ['min:0', 'min: 0'],
  ],
  'missing-space-in-line': [['draftAndPublish:true', 'draftAndPublish: true']],
  'yaml-merge-conflict': [
    [
      '<<<<<<< HEAD\n      title: { type: string }\n=======\n      title: { type: text }\n>>>>>>> theirs\n',
      '      title: { type: text }\n',
      'keep the lines that you need of both sides, and delete `<<<<<<<`, `=======` and `>>>>>>>`',
    ],
  ],
  'yaml-tabs': [
    ['\tarticle', '  article', 'indent lines with spaces instead of tabs'],
    ['\t\tattributes', '    attributes', 'indent lines with spaces instead of tabs'],
  ],
  'relation-two-sides': [
    [
      'articles: { type: relation, relation: manyToMany, target: article, mappedBy: author }',
      'articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }',
    ],
    [
      'articles: { type: relation, relation: manyToMany, target: article, inversedBy: tags }',
      'articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }',
    ],
    [
      'articles: { type: relation, relation: manyToMany, target: article, mappedBy: topics }',
      'articles: { type: relation, relation: manyToMany, target: article, inversedBy: topics }',
    ],
    [
      'edits: { type: relation, relation: oneToMany, target: tag, mappedBy: editor }',
      'edits: { type: relation, relation: oneToMany, target: article, mappedBy: editor }',
    ],
    [
      'inversedBy: article }',
      'inversedBy: articles }',
      '`place.articles` refers to this relation; write inversedBy: articles',
    ],
    [
      'articles: { type: relation, relation: oneToMany, target: article, mappedBy: books }',
      'articles: { type: relation, relation: oneToMany, target: article, mappedBy: book }',
    ],
  ],
  'strapi-keys': [
    ['collectionName: articles', 'tableName: articles'],
    [
      "info: { singularName: article, pluralName: articles, displayName: Article, description: '' }",
      'pluralName: articles\n    displayName: Article',
    ],
    ["options: { draftAndPublish: true, comment: '' }", 'draftAndPublish: true'],
    ['    pluginOptions: { i18n: { localized: true } }', '    localized: true'],
    ['pluginOptions: { i18n: { localized: true } }', 'localized: true'],
    [', configurable: false', '', 'remove it'],
    ['    collectionName: components_shared_seos\n', '', 'remove it'],
    ['info: { displayName: Seo }', 'displayName: Seo'],
    ['    options: {}\n', '', 'remove it'],
  ],
  'database-names': [
    ['mariadb', 'mysql', 'use `mysql`, which covers MySQL and MariaDB'],
    ['PostgreSQL', 'postgres', 'did you mean `postgres`?'],
    ['sqlite3', 'sqlite', 'did you mean `sqlite`?'],
  ],
  'option-names': [
    ['length:', 'maxLength:', 'did you mean `maxLength`?'],
    ['pattern:', 'regex:', 'did you mean `regex`?'],
    ['values:', 'enum:', 'did you mean `enum`?'],
    ['ref:', 'target:', 'did you mean `target`?'],
    [', nullable: true', '', 'attributes are optional unless they have required: true'],
    ['label:', 'displayName:', 'did you mean `displayName`?'],
  ],
  'quoted-numbers': [
    ['min: "0"', 'min: 0'],
    ['max: "9"', 'max: 9'],
    ['integer, default: "3"', 'integer, default: 3', 'write default: 3'],
    ["min: '0.5'", 'min: 0.5'],
  ],
};

/** Builds a schema without writing anything, and says what is wrong with it. */
async function messagesOf(text: string): Promise<string> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'schema.yaml'), text);
  const options = { overwrite: [], diff: false, onWait: () => {} };
  const report = await build({ ...options, schema: ['schema.yaml'], out: 'out', cwd, mode: 'dry-run' });
  return renderText(
    report.diagnostics.filter(({ severity }) => severity === 'error'),
    { sourceOf: () => text },
  );
}

function change(text: string, [written, instead]: Change): string {
  expect(text).toContain(written);
  return text.replace(written, () => instead);
}

describe('E16: what a hint says', () => {
  it.each(Object.entries(CHANGES))('about %s makes a schema that builds', async (name, changes) => {
    const text = readFileSync(join(import.meta.dirname, '../fixtures/invalid', name, 'schema.yaml'), 'utf8');
    // The help is indented, and begins with a word.
    const hints = (await messagesOf(text)).split('\n').map((line) => line.replace(/^ *(?:help: )?/, ''));
    for (const [, instead, hint = instead] of changes) {
      for (const line of hint.split('\n').map((one) => one.trim())) {
        const isSaid = hints.some((one) => one === line || one.endsWith(` ${line}`));
        expect(isSaid, line).toBe(true);
      }
    }
    expect(await messagesOf(changes.reduce(change, text))).toBe('');
  });

  it('about the two sides of a relation is one line, whatever the sides are', () => {
    const kinds = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'];
    const options = kinds.flatMap((relation) => ['inversedBy', 'mappedBy'].map((side) => ({ relation, side })));
    let mended = 0;
    for (const a of options) {
      for (const b of options) {
        const attribute = (one: typeof a, target: string, other: string) => ({
          type: 'relation',
          relation: one.relation,
          target,
          [one.side]: other,
        });
        const types: Record<string, any> = {
          left: { attributes: { one: attribute(a, 'right', 'two') } },
          right: { attributes: { two: attribute(b, 'left', 'one') } },
        };
        const read = (contentTypes: object) =>
          resolveReading(readSchema([{ file: 's.yaml', text: stringify({ contentTypes }) }]));
        const { diagnostics } = read(types);
        const lines = diagnostics.flatMap(({ hint = '' }) => [
          ...hint.matchAll(/^change it in `(\w+)`:\n(\w+): (.*)$/gms),
        ]);
        const fits = diagnostics.length === 0;
        // A side that the kind does not have is said for each, and there the line of the other follows from it.
        if (diagnostics.some(({ code }) => code === 'relation/side')) continue;
        expect(lines, JSON.stringify([a, b])).toHaveLength(fits ? 0 : 1);
        const [, uid = '', name = '', written = ''] = lines[0] ?? [];
        if (fits) continue;
        types[uid].attributes[name] = parse(written);
        expect(read(types).diagnostics, JSON.stringify([a, b])).toEqual([]);
        mended += 1;
      }
    }
    expect(mended).toBeGreaterThan(8);
  });

  it('skips what could not be read, and reports all other errors', () => {
    const text = readFileSync(join(import.meta.dirname, '../fixtures/invalid/shape-and-model/schema.yaml'), 'utf8');
    const { diagnostics } = resolveReading(readSchema([{ file: 's.yaml', text }]));
    expect(diagnostics.map(({ code, location }) => [location?.line, code])).toEqual([
      [1, 'schema/unknown-value'],
      [5, 'schema/type'],
      [6, 'attribute/range'],
      [9, 'relation/unknown-target'],
      [10, 'attribute/default'],
      [13, 'schema/unknown-value'],
    ]);
  });
});
