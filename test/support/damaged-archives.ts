/** Archives that must not be imported. */
import { contentType, encrypt, entriesOf, entry, gzip, lines, metadata, tar, type TarEntry } from './strapi-archive.ts';

/** A whole archive. */
export const CONTENT = {
  schemas: [contentType('api::note.note', { title: { type: 'string' } })],
  entities: [
    { type: 'api::note.note', id: 1, data: { title: 'one' } },
    { type: 'api::note.note', id: 2, data: { title: 'zwei 🦊' } },
  ],
  links: [
    {
      kind: 'relation.basic',
      relation: 'oneToOne',
      left: { type: 'api::note.note', ref: 1, field: 'next' },
      right: { type: 'api::note.note', ref: 2, pos: null },
    },
  ],
  configuration: [{ type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'en' } }],
  assets: { 'a_0123456789.txt': 'hello' },
};
export const ENTRIES = entriesOf(CONTENT);

/** Small ones, so that what is beyond them is small, too. */
export const LIMITS = {
  entries: 20,
  total: 100_000,
  kept: 50_000,
  line: 20_000,
  ratio: 20,
  ratioFrom: 10_000,
  depth: 50,
};
const EVIL = { type: 'api::note.note', id: 9, data: {} };

function withEntry(...more: readonly TarEntry[]): Promise<Buffer> {
  return tar([...ENTRIES.slice(0, -1), ...more, ...ENTRIES.slice(-1)]);
}

function withEntities(text: Buffer | string): Promise<Buffer> {
  return tar([...ENTRIES.filter(({ header }) => !header.name.startsWith('entities')), entry('entities/e.jsonl', text)]);
}

/** What is wrong → the archive, the code of the error, and the key that is given. */
export const DAMAGED: Readonly<
  Record<string, readonly [make: () => Promise<Buffer> | Buffer, code: string, key?: string]>
> = {
  'an empty file': [() => Buffer.alloc(0), 'not-an-archive'],
  'a zip file': [() => Buffer.from('PK\u0003\u0004 and so on'), 'not-an-archive'],
  'an encrypted archive without a key': [async () => encrypt(await tar(ENTRIES), 'a'), 'missing-key'],
  'the wrong key': [async () => encrypt(gzip(await tar(ENTRIES)), 'a'), 'wrong-key', 'b'],
  'anything else, with a key': [() => Buffer.from('a diary '.repeat(100)), 'wrong-key', 'b'],
  'an encrypted archive that is cut off': [
    async () => encrypt(await tar(ENTRIES), 'a').subarray(0, -7),
    'truncated',
    'a',
  ],
  'an encrypted archive that lacks blocks': [
    async () => encrypt(gzip(await tar(ENTRIES)), 'a').subarray(0, -64),
    'damaged',
    'a',
  ],
  'a compressed archive that is cut off': [async () => gzip(await tar(ENTRIES)).subarray(0, -20), 'truncated'],
  'a compressed archive with other bytes': [
    async () => {
      const bytes = gzip(await tar(ENTRIES));
      bytes.fill(0x55, 60, 200);
      return bytes;
    },
    'damaged',
  ],
  'something else that is compressed': [() => gzip(Buffer.from('a diary '.repeat(100))), 'damaged'],
  'a tar that is cut off in an entry': [async () => (await tar(ENTRIES)).subarray(0, 700), 'truncated'],
  'a tar that is cut off between entries': [async () => tar(ENTRIES.slice(0, -1)), 'missing-metadata'],
  'a tar with a damaged header': [
    async () => {
      const bytes = await tar(ENTRIES);
      bytes.fill(0x41, 1024, 1100);
      return bytes;
    },
    'damaged',
  ],
  'a name that leaves the folder': [() => withEntry(entry('assets/uploads/../../../etc/passwd', 'x')), 'unsafe-name'],
  'one that does so as on Windows': [() => withEntry(entry('assets\\uploads\\..\\..\\..\\x', 'x')), 'unsafe-name'],
  'an absolute name': [() => withEntry(entry('/etc/passwd', 'x')), 'unsafe-name'],
  'a name with a drive': [() => withEntry(entry('C:\\Windows\\x', 'x')), 'unsafe-name'],
  'a name with a line end': [() => withEntry(entry('assets/uploads/a\nb', 'x')), 'unsafe-name'],
  'a symbolic link': [
    () => withEntry(entry('assets/uploads/x', '', { type: 'symlink', linkname: '/etc/passwd' })),
    'unsafe-entry',
  ],
  'a hard link': [
    () => withEntry(entry('assets/uploads/x', '', { type: 'link', linkname: '/etc/passwd' })),
    'unsafe-entry',
  ],
  'a device': [() => withEntry(entry('assets/uploads/x', '', { type: 'character-device' })), 'unsafe-entry'],
  'a file twice': [() => withEntry(entry('links/links_00001.jsonl', '')), 'double-entry'],
  'too many files': [
    () => withEntry(...Array.from({ length: 30 }, (_, n) => entry(`assets/uploads/${n}`, ''))),
    'too-many-entries',
  ],
  'more bytes than allowed': [() => withEntry(entry('assets/uploads/x', Buffer.alloc(200_000, 1))), 'too-large'],
  'a bomb': [async () => gzip(await withEntry(entry('assets/uploads/x', Buffer.alloc(90_000)))), 'too-compressed'],
  'an endless line': [() => withEntities(`{"type":"${'x'.repeat(30_000)}`), 'long-line'],
  'a line that is not JSON': [() => withEntities(`${lines(EVIL)}\n{"type":`), 'not-json'],
  'a line that is not UTF-8': [() => withEntities(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'not-utf8'],
  'values nested too deep': [
    () => withEntities(`{"type":"x","id":1,"data":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`),
    'too-deep',
  ],
  'a line that is no entity': [() => withEntities(lines({ type: 'api::note.note', data: {} })), 'wrong-record'],
  'version 3': [async () => tar([...ENTRIES.slice(0, -1), metadata('3.6.8')]), 'wrong-version'],
  'version 6': [async () => tar([...ENTRIES.slice(0, -1), metadata('6.0.0')]), 'wrong-version'],
  'metadata of something else': [
    () => tar([...ENTRIES.slice(0, -1), entry('metadata.json', '{}')]),
    'missing-metadata',
  ],
  'no schemas': [() => tar(ENTRIES.slice(1)), 'missing-schemas'],
};
