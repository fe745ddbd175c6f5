import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTENT, DAMAGED, ENTRIES, LIMITS } from '../../test/support/damaged-archives.ts';
import { encrypt, entry, gzip, lines, tar, type TarEntry, writeFolder } from '../../test/support/strapi-archive.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { ArchiveError } from './archive-error.ts';
import { archiveKey } from './archive-key.ts';
import { openArchive, type OpenOptions } from './open-archive.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

let files = 0;
function fileOf(bytes: Buffer | string): string {
  const file = join(folder.path, `archive-${(files += 1)}`);
  writeFileSync(file, bytes);
  return file;
}

async function contentOf(path: string, options?: OpenOptions) {
  const archive = await openArchive(path, options);
  const items: unknown[] = [];
  for await (const item of archive.read(['entity', 'link', 'asset'])) {
    if (item.kind === 'asset') {
      const chunks: Uint8Array[] = [];
      for await (const chunk of item.read()) chunks.push(chunk);
      items.push([item.name, Buffer.concat(chunks).toString()]);
    } else items.push(item.kind === 'entity' ? [item.entity.id, item.entity.data, item.at.line] : item.link);
  }
  const { metadata: about, schemas, configuration, counts } = archive;
  return { about, uids: schemas.map(({ uid }) => uid), configuration, counts, items };
}

const EXPECTED = {
  about: { createdAt: '2026-03-28T04:57:23.689Z', version: '4.26.2', major: 4 },
  uids: ['api::note.note'],
  configuration: CONTENT.configuration,
  counts: { entities: 2, links: 1, assets: 1, bytes: 5 },
  items: [
    [1, { title: 'one' }, 1],
    [2, { title: 'zwei 🦊' }, 2],
    ['a_0123456789.txt', 'hello'],
    {
      kind: 'relation.basic',
      relation: 'oneToOne',
      left: { type: 'api::note.note', ref: 1, field: 'next' },
      right: { type: 'api::note.note', ref: 2 },
    },
  ],
};

describe('an archive is read, whatever it is called:', () => {
  it('a tar', async () => {
    expect(await contentOf(fileOf(await tar(ENTRIES)))).toEqual(EXPECTED);
  });
  it('a compressed one', async () => {
    expect(await contentOf(fileOf(gzip(await tar(ENTRIES))))).toEqual(EXPECTED);
  });
  it('an encrypted one, compressed or not', async () => {
    const key = 'Schlüssel 🗝';
    expect(await contentOf(fileOf(encrypt(gzip(await tar(ENTRIES)), key)), { key })).toEqual(EXPECTED);
    expect(await contentOf(fileOf(encrypt(await tar(ENTRIES), key)), { key })).toEqual(EXPECTED);
  });
  it('a folder', async () => {
    const path = join(folder.path, 'unpacked');
    writeFolder(path, CONTENT);
    expect(await contentOf(path)).toEqual(EXPECTED);
  });
  it('one with Windows paths, and with ./', async () => {
    for (const change of [(name: string) => name.replaceAll('/', '\\'), (name: string) => `./${name}`]) {
      const renamed = ENTRIES.map((one) => ({ ...one, header: { ...one.header, name: change(one.header.name) } }));
      expect(await contentOf(fileOf(await tar(renamed)))).toEqual(EXPECTED);
    }
  });
  it('one with records in several files, the second of which begins with a line feed', async () => {
    const [schemas, entities, ...rest] = ENTRIES as [TarEntry, TarEntry, ...TarEntry[]];
    const second = entry('entities/entities_00002.jsonl', `\n${lines({ type: 'api::note.note', id: 3, data: {} })}`);
    const { items } = await contentOf(fileOf(await tar([schemas, entities, second, ...rest])));
    expect(items[2]).toEqual([3, {}, 2]);
  });
});

it('reads the key from a file, without the line end, or from the environment', async () => {
  const file = fileOf('a key with spaces \n');
  expect(await archiveKey(file, { STRAPI_EXPORT_KEY: 'other' })).toBe('a key with spaces ');
  expect(await archiveKey(undefined, { STRAPI_EXPORT_KEY: 'other' })).toBe('other');
  expect(await archiveKey(undefined, {})).toBeUndefined();
});

describe('an archive is refused with a specific message:', () => {
  it.each(Object.entries(DAMAGED))('%s', async (_, [make, code, key]) => {
    const path = fileOf(await make());
    const error: unknown = await contentOf(path, { limits: LIMITS, key }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ArchiveError);
    expect({ code: (error as ArchiveError).code, message: (error as Error).message }).toEqual({
      code,
      message: expect.stringMatching(/^[^\n]{20,400}$/u),
    });
  });

  it('a folder with a symbolic link', async () => {
    const path = join(folder.path, 'linked');
    writeFolder(path, CONTENT);
    symlinkSync('/etc/passwd', join(path, 'assets/uploads/evil_0123456789.txt'));
    await expect(openArchive(path)).rejects.toMatchObject({ code: 'unsafe-entry' });
  });

  it('a file that does not exist', async () => {
    await expect(openArchive(join(folder.path, 'nowhere'))).rejects.toMatchObject({ code: 'missing-file' });
  });
});
