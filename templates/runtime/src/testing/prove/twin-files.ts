/** The files of twins: the same for both, some of them uploaded by users. */
import type { ContentType } from '../../contract/content-type.ts';
import { guardsFiles } from '../../contract/policy/guarded-files.ts';
import { createRandom } from '../../contract/values/random.ts';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { AnyEntries } from '../../entries/typed/any-entries.ts';
import { entriesOf, writtenId } from '../../features/seed/entry-writer.ts';
import { sampleFile } from '../../features/seed/sample-files.ts';
import type { ServerDefinition } from '../../server/definition.ts';

const FILES = 8;

interface Stored {
  readonly entries: AnyEntries;
  readonly database: Database;
}

/** The type of files, if entries have files. */
export function fileTypeOf({ contentTypes }: ServerDefinition): ContentType | undefined {
  return contentTypes.types['file'];
}

/** The column with who has uploaded a file. */
export function uploaderColumn({ attributes }: ContentType): string | undefined {
  const uploader = attributes['uploadedBy'];
  return uploader?.type === 'relation' && uploader.storage.kind === 'foreignKey' ? uploader.storage.column : undefined;
}

/** Stores images, and says of some which user has uploaded them. */
export async function createImages(
  { entries, database }: Stored,
  type: ContentType,
  users: readonly number[],
  seed: number,
): Promise<readonly number[]> {
  const random = createRandom(seed);
  const { id: quote } = database.dialect;
  const { bytes } = sampleFile(['images']);
  const column = uploaderColumn(type);
  const ids: number[] = [];
  for (let number = 0; number < FILES; number += 1) {
    const data = { name: `${random.below(1000)} of ${number}.png`, alternativeText: `image ${random.below(3)}` };
    const id = writtenId(await entriesOf(entries, type.uid).create({ ...data, source: bytes }));
    ids.push(id);
    if (column === undefined || users.length === 0 || random.once(3)) continue;
    await database.run(sql`UPDATE ${quote(type.table)} SET ${quote(column)} = ${random.pick(users)} WHERE id = ${id}`);
  }
  return ids;
}

/** Gives the files of the second server the addresses of the first: both store their files in the same folder. */
export async function alignFiles([first, second]: readonly [Stored, Stored], { table }: ContentType): Promise<void> {
  const name = first.database.dialect.id(table);
  for (const { id, hash, url } of await first.database.all(sql`SELECT id, hash, url FROM ${name}`)) {
    await second.database.run(
      sql`UPDATE ${name} SET hash = ${String(hash)}, url = ${String(url)} WHERE id = ${Number(id)}`,
    );
  }
}

/** The addresses of files at which only who may find them gets their bytes. */
export async function fileAddresses({ database }: Stored, definition: ServerDefinition): Promise<readonly string[]> {
  const type = fileTypeOf(definition);
  if (!type || !guardsFiles(definition)) return [];
  const rows = await database.all(sql`SELECT url FROM ${database.dialect.id(type.table)} ORDER BY id`);
  return rows.map(({ url }) => String(url));
}
