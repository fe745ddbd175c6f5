/** Hooks around writes on a real database: what they see, whom they are trusted for, and what their throws undo. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, entryApi } from '../../test-support/entry-services.ts';
import { ENTRY_TABLES, entryTypes, entryValidators, TABLE_NAMES } from '../../test-support/entry-types.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { ForbiddenError, ValidationError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Database } from '../database/database.ts';
import { createReader } from '../query/reader.ts';
import { raw, sql } from '../database/sql.ts';
import { openEntries } from './typed/open-entries.ts';

/** May write articles, and find nothing. */
const writer: Caller = { kind: 'user', role: 'writer', permissions: new Set(['article.create', 'article.update']) };
const readerIn = (database: Database) => createReader({ database, types: entryTypes, api: entryApi });
const THEN = '2020-01-01T00:00:00.000Z';

describe.each(await testedEngines())('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let leaf: any;
  let article: any;
  const failures: unknown[] = [];
  const calls: any[] = [];

  beforeAll(async () => {
    opened = await openEngine(engine, 'write_hooks', ENTRY_TABLES);
  });
  beforeEach(async () => {
    for (const table of TABLE_NAMES) await opened.database.run(sql`DELETE FROM ${raw(table)}`);
    failures.length = 0;
    calls.length = 0;
  });
  afterAll(() => opened.drop());

  function use(hooks: Record<string, any>): void {
    const { entries } = openEntries({
      database: opened.database,
      reader: readerIn(opened.database),
      readerIn,
      definition: { contentTypes: entryTypes, validators: entryValidators },
      hooks,
      onHookError: (error) => void failures.push(error),
    });
    ({ leaf, article } = entries as any);
  }
  const count = async (table: string) =>
    Number((await opened.database.get(sql`SELECT COUNT(*) AS total FROM ${raw(table)}`))?.['total']);
  const note = (name: string) => (event: any) => void calls.push([name, event]);

  test('a throw in the transaction undoes the write and what the hook wrote', async () => {
    use({
      leaf: {
        async afterCreate({ entry, entries }: any) {
          if (entry.attributes.name === 'copy') return;
          await entries.leaf.create({ name: 'copy' }, { caller: 'server' });
          if (entry.attributes.name === 'refused') throw new ForbiddenError();
        },
        committed: note('committed'),
      },
    });
    await expect(leaf.create({ name: 'refused' }, { caller: editor })).rejects.toThrow(ForbiddenError);
    expect(await count('leafs')).toBe(0);
    expect(calls).toEqual([]);
    await leaf.create({ name: 'kept' }, { caller: editor });
    expect(await count('leafs')).toBe(2);
    expect(calls.map(([, { entry, action }]) => [entry.attributes.name, action])).toEqual([
      ['kept', 'create'],
      ['copy', 'create'],
    ]);
  });

  test('a throw undoes updates and deletes too', async () => {
    const refuse = () => {
      throw new ForbiddenError();
    };
    use({});
    const { data } = await leaf.create({ name: 'a' }, { caller: editor });
    use({ leaf: { afterUpdate: refuse, afterDelete: refuse } });
    await expect(leaf.update(data.id, { name: 'b' }, { caller: editor })).rejects.toThrow(ForbiddenError);
    await expect(leaf.delete(data.id, { caller: editor })).rejects.toThrow(ForbiddenError);
    expect((await leaf.findOne(data.id, { caller: editor })).data.attributes.name).toBe('a');
  });

  test('the entry is whole whatever the request wants, and what committed throws is not answered', async () => {
    const fail = () => {
      throw new Error('no mail today');
    };
    use({
      leaf: { afterCreate: note('after'), afterUpdate: note('after'), afterDelete: note('after'), committed: fail },
    });
    const { data } = await leaf.create({ name: 'a' }, { caller: editor, fields: ['createdAt'] });
    await leaf.update(data.id, { name: 'b' }, { caller: editor, fields: ['createdAt'] });
    await leaf.delete(data.id, { caller: editor, fields: ['createdAt'] });
    expect(data.attributes).not.toHaveProperty('name');
    expect(calls.map(([, { entry }]) => entry.attributes.name)).toEqual(['a', 'b', 'b']);
    expect(failures.map(String)).toEqual(Array(3).fill('Error: no mail today'));
  });

  test('before-hooks see what was checked and cast, and are not asked about what is not valid', async () => {
    use({ article: { beforeCreate: note('before') } });
    const data = { title: 'a', number: '7', leaf: null, publishedAt: null };
    await article.create(data, { caller: editor });
    await expect(article.create({ ...data, title: 5 }, { caller: editor })).rejects.toThrow(ValidationError);
    expect(calls.map(([, event]) => event.data)).toEqual([{ title: 'a', number: 7, leaf: null, publishedAt: null }]);
  });

  test('what a hook relates is trusted, what the request relates is not', async () => {
    use({});
    const { data } = await leaf.create({ name: 'a' }, { caller: editor });
    const least = { title: 'a', publishedAt: THEN };
    await expect(article.create({ ...least, leaf: data.id }, { caller: writer })).rejects.toThrow(ValidationError);
    use({
      article: {
        beforeCreate: () => ({ leaf: data.id }),
        beforeUpdate: (event: any) => ({ specs: [...event.data.specs, { leaf: data.id }] }),
      },
    });
    // Required, and given by nobody but the hook, so that the request is of a draft.
    const created = await article.create({ title: 'a', publishedAt: null }, { caller: writer });
    await article.update(created.data.id, { specs: [{ label: 'own' }] }, { caller: writer });
    const own = { specs: [{ leaf: data.id }] };
    await expect(article.update(created.data.id, own, { caller: writer })).rejects.toThrow(ValidationError);
    const { data: found } = await article.findOne(created.data.id, {
      caller: editor,
      populate: { leaf: true, specs: { populate: ['leaf'] } },
      publicationState: 'preview',
    });
    expect(found.attributes.leaf.data.id).toBe(data.id);
    expect(found.attributes.specs.map((one: any) => one.leaf.data?.id)).toEqual([undefined, data.id]);
  });

  test('what a hook makes is checked again', async () => {
    use({ leaf: { beforeCreate: () => ({ name: 5 }) }, article: { beforeUpdate: () => ({ nope: 1 }) } });
    await expect(leaf.create({ name: 'a' }, { caller: editor })).rejects.toThrow(ValidationError);
    expect(await count('leafs')).toBe(0);
  });
});
