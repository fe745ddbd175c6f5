/**
 * Hooks around writes on a real database: what they see, which of their changes are trusted, and what is rolled back if they
 * throw.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, entryApi } from '../../test-support/entry-services.ts';
import { ENTRY_TABLES, entryTypes, TABLE_NAMES } from '../../test-support/entry-types.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { pino } from '../base/common-js.ts';
import type { Mail } from '../base/mailer.ts';
import { ForbiddenError, ValidationError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Database } from '../database/database.ts';
import { createReader } from '../query/reader.ts';
import { raw, sql } from '../database/sql.ts';
import { type AnyContext, openEntries } from './typed/open-entries.ts';

/** May write articles, but find nothing. */
const writer: Caller = { kind: 'user', role: 'writer', permissions: new Set(['article.create', 'article.update']) };
const readerIn = (database: Database) => createReader({ database, types: entryTypes, api: entryApi });
const THEN = '2020-01-01T00:00:00.000Z';

const NO_SESSIONS = { start: unused, refresh: unused, end: unused };
const NO_ROLES = { find: unused, findOne: unused, create: unused, update: unused, delete: unused };

function unused(): never {
  throw new Error('no test uses sessions or roles');
}

describe.each(await testedEngines())('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let context: AnyContext;
  let leaf: any;
  let article: any;
  let byWriter: any;
  /** The log entries, as objects. */
  const logged: any[] = [];
  const mails: Mail[] = [];
  const calls: any[] = [];

  beforeAll(async () => {
    opened = await openEngine(engine, 'write_hooks', ENTRY_TABLES);
  });
  beforeEach(async () => {
    for (const table of TABLE_NAMES) await opened.database.run(sql`DELETE FROM ${raw(table)}`);
    logged.length = 0;
    mails.length = 0;
    calls.length = 0;
  });
  afterAll(() => opened.drop());

  function use(hooks: Record<string, any>): void {
    context = openEntries({
      database: opened.database,
      readerIn,
      definition: { contentTypes: entryTypes, api: { unknownAttributes: 'reject' } },
      hooks,
      mailer: { send: async (mail) => void mails.push(mail) },
      sessions: NO_SESSIONS,
      roles: NO_ROLES,
      logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    }).contextOf(undefined);
    const { entries } = context;
    ({ leaf, article } = entries.as(editor) as any);
    byWriter = entries.as(writer)['article'];
  }
  const count = async (table: string) =>
    Number((await opened.database.get(sql`SELECT COUNT(*) AS total FROM ${raw(table)}`))?.['total']);
  const note = (name: string) => (event: any) => void calls.push([name, event]);

  test('a throw in the transaction undoes the write and what the hook wrote', async () => {
    use({
      leaf: {
        async afterCreate({ entry, context: { entries } }: any) {
          if (entry.attributes.name === 'copy') return;
          await entries.leaf.create({ name: 'copy' });
          if (entry.attributes.name === 'refused') throw new ForbiddenError();
        },
        committed: note('committed'),
      },
    });
    await expect(leaf.create({ name: 'refused' })).rejects.toThrow(ForbiddenError);
    expect(await count('leafs')).toBe(0);
    expect(calls).toEqual([]);
    await leaf.create({ name: 'kept' });
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
    const { data } = await leaf.create({ name: 'a' });
    use({ leaf: { afterUpdate: refuse, afterDelete: refuse } });
    await expect(leaf.update(data.id, { name: 'b' })).rejects.toThrow(ForbiddenError);
    await expect(leaf.delete(data.id)).rejects.toThrow(ForbiddenError);
    expect((await leaf.findOne(data.id)).data.attributes.name).toBe('a');
  });

  test('the entry is whole whatever the request wants, and what committed throws is not answered', async () => {
    const fail = () => {
      throw new Error('no mail today');
    };
    use({
      leaf: { afterCreate: note('after'), afterUpdate: note('after'), afterDelete: note('after'), committed: fail },
    });
    const { data } = await leaf.create({ name: 'a' }, { fields: ['createdAt'] });
    await leaf.update(data.id, { name: 'b' }, { fields: ['createdAt'] });
    await leaf.delete(data.id, { fields: ['createdAt'] });
    expect(data.attributes).not.toHaveProperty('name');
    expect(calls.map(([, { entry }]) => entry.attributes.name)).toEqual(['a', 'b', 'b']);
    expect(logged.map(({ type, err }) => [type, err.message])).toEqual(
      Array.from({ length: 3 }, () => ['leaf', 'no mail today']),
    );
  });

  test('before-hooks see what was checked and cast, and are not asked about what is not valid', async () => {
    use({ article: { beforeCreate: note('before') } });
    const data = { title: 'a', number: '7', leaf: null, publishedAt: null };
    await article.create(data);
    await expect(article.create({ ...data, title: 5 })).rejects.toThrow(ValidationError);
    expect(calls.map(([, event]) => event.data)).toEqual([
      { title: 'a', number: 7, leaf: { set: [] }, publishedAt: null },
    ]);
  });

  test('what a hook relates is trusted, what the request relates is not', async () => {
    use({});
    const { data } = await leaf.create({ name: 'a' });
    const least = { title: 'a', publishedAt: THEN };
    await expect(byWriter.create({ ...least, leaf: data.id })).rejects.toThrow(ValidationError);
    use({
      article: {
        beforeCreate: () => ({ leaf: data.id }),
        beforeUpdate: (event: any) => ({ specs: [...event.data.specs, { leaf: data.id }] }),
      },
    });
    // The attribute is required, but only the hook sets it; a draft passes validation without it.
    const created = await byWriter.create({ title: 'a', publishedAt: null });
    await byWriter.update(created.data.id, { specs: [{ label: 'own' }] });
    const own = { specs: [{ leaf: data.id }] };
    await expect(byWriter.update(created.data.id, own)).rejects.toThrow(ValidationError);
    const { data: found } = await article.findOne(created.data.id, {
      populate: { leaf: true, specs: { populate: ['leaf'] } },
      publicationState: 'preview',
    });
    expect(found.attributes.leaf.data.id).toBe(data.id);
    expect(found.attributes.specs.map((one: any) => one.leaf.data?.id)).toEqual([undefined, data.id]);
  });

  test('what a hook makes is checked again', async () => {
    use({ leaf: { beforeCreate: () => ({ name: 5 }) }, article: { beforeUpdate: () => ({ nope: 1 }) } });
    await expect(leaf.create({ name: 'a' })).rejects.toThrow(ValidationError);
    expect(await count('leafs')).toBe(0);
  });

  test('a hook acts as the server or as a caller, in the transaction, and mails when it is committed', async () => {
    use({
      leaf: {
        async afterCreate({ entry, caller, context: { entries, transaction, inTransaction } }: any) {
          const { name } = entry.attributes;
          if (name.length > 1) return;
          await inTransaction((same: any) => same.entries.leaf.create({ name: `${name} within` }));
          await transaction.run(sql`UPDATE leafs SET name = ${`${name} by SQL`} WHERE id = ${entry.id}`);
          if (name === 'b') await entries.as({ ...caller, permissions: new Set() }).leaf.create({ name: 'c c' });
        },
        // Also runs for a nested write: after the outer commit, and outside its transaction.
        async committed({ entry, context: { entries, mailer } }: any) {
          const { data } = await entries.leaf.findOne(entry.id);
          await mailer.send({ to: 'a@b.cd', subject: data.attributes.name, text: '' });
        },
      },
    });
    await leaf.create({ name: 'a' });
    expect(mails.map(({ subject }) => subject)).toEqual(['a by SQL', 'a within']);
    await expect(leaf.create({ name: 'b' })).rejects.toThrow(ForbiddenError);
    expect([await count('leafs'), mails.length, logged.length]).toEqual([2, 2, 0]);
  });

  test('beside a request, a transaction is kept as a whole or not at all', async () => {
    use({ leaf: { committed: note('committed') } });
    const { inTransaction } = context;
    const twice = (fails: boolean) =>
      inTransaction(async ({ entries }: any) => {
        await entries.leaf.create({ name: 'a' });
        const { data } = await entries.leaf.create({ name: 'b' });
        expect(calls).toEqual([]);
        if (fails) throw new Error('undone');
        return data.id;
      });
    await expect(twice(true)).rejects.toThrow('undone');
    expect([await count('leafs'), calls.length]).toEqual([0, 0]);
    expect(await twice(false)).toEqual(expect.any(Number));
    expect([await count('leafs'), calls.length]).toEqual([2, 2]);
  });
});
