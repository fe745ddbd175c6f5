import { expect, test } from 'vitest';
import { startUploadServer } from '../../../test-support/upload-server.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { sql } from '../../database/sql.ts';
import type { UploadContext } from './context.ts';
import { isReferenced } from './file-rows.ts';

test('whether a file is used is known however many attributes could use it', async () => {
  const { database, close } = await startUploadServer();
  const cover = { type: 'media', many: false, storage: { kind: 'foreignKey', column: 'cover_id' } } as const;
  const type = { uid: 'article', table: 'articles', attributes: { cover } } as unknown as ContentType;
  const names = Array.from({ length: 1200 }, (_, index) => `type${index}`);
  const types = { types: Object.fromEntries(names.map((name) => [name, type])), components: {}, locales: [] };
  const isUsed = () => isReferenced(database, { types } as unknown as UploadContext, 7);
  expect(await isUsed()).toBe(false);
  await database.run(
    sql`INSERT INTO files (id, name, hash, mime, size, url, provider, created_at, updated_at) VALUES (7, 'a', 'a', 'a', '1', 'a', 'local', '', '')`,
  );
  await database.run(sql`INSERT INTO articles (title, cover_id, created_at, updated_at) VALUES ('a', 7, '', '')`);
  expect(await isUsed()).toBe(true);
  await close();
});
