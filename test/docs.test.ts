/** README.md and docs/: their schemas build, their links lead somewhere. Behind `npm run test:projects`, their code runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModels } from '../src/read-models.ts';
import { renderReference } from '../src/schema/reference.ts';
import { type Block, blocksOf, documents, textOf } from './support/document-examples.ts';
import { root } from './support/project.ts';

/** A schema with the types that fragments refer to. */
function wholeSchema({ info, text }: Block): string {
  const types = ['article', 'comment'].map((uid) => `  ${uid}: { attributes: { title: { type: string } } }\n`).join('');
  if (info === 'yaml permissions') return `contentTypes:\n${types}${text}`;
  if (info !== 'yaml attributes') return text;
  return `contentTypes:\n  example:\n    attributes:\n${text.replace(/^/gm, '      ')}`;
}

describe('a document', () => {
  it.each(blocksOf('yaml', 'yaml attributes', 'yaml permissions').map((block) => [block.document, block] as const))(
    'has schemas that build: %s',
    (_document, block) => {
      const { diagnostics } = readModels({
        value: [{ file: 'example.yaml', text: wholeSchema(block) }],
        diagnostics: [],
      });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors, block.text).toEqual([]);
    },
  );

  it('has the reference of the schema language as `content-gen schema` prints it', () => {
    const [, reference = ''] =
      /<!-- content-gen schema -->\n([\s\S]*)<!-- \/content-gen schema -->/.exec(textOf('docs/schema-language.md')) ??
      [];
    // Prettier aligns the columns.
    const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-{2,}/g, '---').trim();
    expect(plain(reference)).toBe(plain(renderReference()));
  });

  it('links to what is there', () => {
    const broken = documents.flatMap((document) =>
      [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, path = '']) => join(root, document, '..', path))
        .filter((path) => !existsSync(path)),
    );
    expect(broken).toEqual([]);
  });

  it('links to headings that exist', () => {
    const idOf = (heading: string): string =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    const broken = documents.flatMap((document) =>
      [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(([, path = '', id = '']) => {
        const target = path === '' ? document : join(document, '..', path);
        return ![...textOf(target).matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => idOf(heading) === id);
      }),
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
