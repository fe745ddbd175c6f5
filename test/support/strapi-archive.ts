/** Builds exports of Strapi, whole or damaged, for tests. */
import { createCipheriv, scryptSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Headers, pack } from 'tar-stream';

/** An entry of a tar: its name and content, or all of its header. */
export interface TarEntry {
  readonly header: Headers;
  readonly content: Buffer | string;
}

export function entry(name: string, content: Buffer | string, header: Partial<Headers> = {}): TarEntry {
  return { header: { name, ...header }, content };
}

/** Records as an export has them: a line each, the first without a line end before it. */
export function lines(...records: readonly unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n');
}

export async function tar(entries: readonly TarEntry[]): Promise<Buffer> {
  const packed = pack();
  for (const { header, content } of entries) packed.entry(header, content as Buffer);
  packed.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packed) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export const gzip = (bytes: Buffer): Buffer => gzipSync(bytes);

export function encrypt(bytes: Buffer, passphrase: string): Buffer {
  const cipher = createCipheriv('aes-128-ecb', scryptSync(passphrase, '', 16), null);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

/** Attributes that a server of version 4 or 5 adds to a content type. */
const SYSTEM = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime' },
};

export function contentType(
  uid: string,
  attributes: Readonly<Record<string, unknown>>,
  more: { kind?: string; drafts?: boolean; localized?: boolean } = {},
) {
  const name = uid.slice(uid.lastIndexOf('.') + 1);
  return {
    uid,
    modelType: 'contentType',
    kind: more.kind ?? 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: more.drafts ?? false },
    pluginOptions: more.localized === true ? { i18n: { localized: true } } : {},
    attributes: { ...attributes, ...SYSTEM },
  };
}

export function component(uid: string, attributes: Readonly<Record<string, unknown>>) {
  return { uid, modelType: 'component', info: { displayName: uid }, options: {}, pluginOptions: {}, attributes };
}

/** What an archive holds. `assets`: name → bytes. */
export interface Content {
  readonly version?: string;
  readonly schemas: readonly unknown[];
  readonly entities?: readonly unknown[];
  readonly links?: readonly unknown[];
  readonly configuration?: readonly unknown[];
  readonly assets?: Readonly<Record<string, Buffer | string>>;
}

export function metadata(version: string): TarEntry {
  return entry('metadata.json', JSON.stringify({ createdAt: '2026-03-28T04:57:23.689Z', strapi: { version } }));
}

/** The entries of an archive in the order in which Strapi writes them. */
export function entriesOf({
  version = '4.26.2',
  schemas,
  entities,
  links,
  configuration,
  assets,
}: Content): TarEntry[] {
  const stage = (name: string, records: readonly unknown[] = []): TarEntry[] =>
    records.length === 0 ? [] : [entry(`${name}/${name}_00001.jsonl`, lines(...records))];
  return [
    ...stage('schemas', schemas),
    ...stage('entities', entities),
    ...Object.entries(assets ?? {}).map(([name, bytes]) => entry(`assets/uploads/${name}`, bytes)),
    ...stage('links', links),
    ...stage('configuration', configuration),
    metadata(version),
  ];
}

/** A compressed archive. */
export async function archiveOf(content: Content): Promise<Buffer> {
  return gzip(await tar(entriesOf(content)));
}

/** The same as a folder. */
export function writeFolder(folder: string, content: Content): void {
  for (const { header, content: bytes } of entriesOf(content)) {
    const file = join(folder, header.name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}
