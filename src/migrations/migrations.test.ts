import { readScript } from '#contract/migrations/read-script.ts';
import { describe, expect, it } from 'vitest';
import type { Change } from '#contract/migrations/change.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { contentModel, contentType, relation, richModel, scalar } from '../../test/support/content-model.ts';
import { buildStorageModel } from '../storage/build-storage-model.ts';
import { layoutOf } from '../storage/compute-layout.ts';
import { emitMigration, emitMigrations } from './emit-migration.ts';
import { foldHistory } from './history/fold.ts';
import { migrationName } from './history/names.ts';
import { planMigration } from './plan/plan-migration.ts';
import { printSql } from './sql/print-sql.ts';
import { readHistory } from './history/read-history.ts';
import { mysqlLiteral, sqlComment, sqlLiteral } from './sql/text/sql-text.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { type GeneratedFile, printFile } from '../files/generated-file.ts';

const storage = (model: ContentModel) => buildStorageModel(model, layoutOf(model));
const target = (...types: readonly ContentType[]) => storage(contentModel(types));

function planned(
  model: ReturnType<typeof storage>,
  history: readonly MigrationPlan[] = [],
  allowed: readonly string[] = [],
): MigrationPlan {
  const { value } = planMigration({ history, target: model, allowed });
  if (!value) throw new Error('no plan');
  return value;
}

async function texts(files: readonly GeneratedFile[]): Promise<Map<string, string>> {
  return new Map(await Promise.all(files.map(async (file) => [file.path, await printFile(file)] as const)));
}

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code);

const article = contentType('article', [scalar('title', 'string')]);

const owned = (by: string) => [
  contentType('article', [relation('owner', 'oneWay', by)]),
  contentType('author', []),
  contentType('team', []),
];

describe('planning', () => {
  it('needs nothing when nothing changed, whatever is said about it', () => {
    const history = [planned(storage(richModel()))];
    const rich = richModel();
    const described = contentModel(
      rich.contentTypes.map((type) => ({
        ...type,
        description: 'new',
        attributes: type.attributes.map((one) =>
          one.kind === 'scalar' ? { ...one, private: true, maxLength: 7 } : one,
        ),
      })),
      rich.components,
    );
    for (const model of [rich, described]) {
      expect(planMigration({ history, target: storage(model) })).toStrictEqual({ value: null, diagnostics: [] });
    }
    const reversed = { ...storage(rich), tables: [...storage(rich).tables].reverse() };
    expect(planMigration({ history, target: reversed }).value).toBeNull();
  });

  it('folds back to what was asked for, step by step', () => {
    const first = planned(target(article));
    const second = planned(target(contentType('article', [...article.attributes, scalar('rank', 'integer')])), [first]);
    expect(second.changes.map(({ kind }) => kind)).toStrictEqual(['addColumn']);
    const model = richModel();
    const third = planned(storage(contentModel([...model.contentTypes, contentType('label', [])], model.components)), [
      planned(storage(model)),
    ]);
    expect(third.changes.map(({ kind }) => kind)).toStrictEqual(['createTable']);
    expect(
      planMigration({
        history: [planned(storage(model)), third],
        target: foldHistory([planned(storage(model)), third]),
      }).value,
    ).toBeNull();
  });

  it.each([
    ['a type', [contentType('author', [])], ['migrations/drops-type'], /'article'.*'articles'/u, 'article'],
    [
      'an attribute',
      [contentType('article', [])],
      ['migrations/drops-attribute'],
      /'article.title'.*'title'.*'articles'/u,
      'article.title',
    ],
    [
      'another type of value',
      [contentType('article', [scalar('title', 'integer')])],
      ['migrations/changes-type'],
      /'article.title' changes from text to integer/u,
      'article.title',
    ],
    [
      'a value that was optional',
      [contentType('article', [scalar('title', 'string', { required: true })])],
      ['migrations/requires'],
      /'article.title' becomes required/u,
      'article.title',
    ],
    [
      'a required attribute without default',
      [contentType('article', [...article.attributes, scalar('rank', 'integer', { required: true })])],
      ['migrations/lacks-value'],
      /'article.rank' is new and required/u,
      'article.rank',
    ],
    [
      'values that may be too long, and the same',
      [contentType('article', [scalar('title', 'string', { unique: true })])],
      ['migrations/narrows', 'migrations/unique'],
      /'article.title' would be limited to 255 characters/u,
      'article.title',
    ],
  ] as const)('refuses to lose or lack data, unless it is allowed: %s', (_, types, expected, message, thing) => {
    const input = { history: [planned(target(article))], target: target(...types) };
    const result = planMigration(input);
    expect(result.value).toBeUndefined();
    expect(codes(result)).toStrictEqual(expected);
    expect(result.diagnostics.every(({ kind }) => kind === 'refused')).toBe(true);
    expect(result.diagnostics[0]?.message).toMatch(message);
    expect(result.diagnostics[0]?.hint).toMatch(new RegExp(`SELECT|content-gen migrations new`, 'u'));
    expect(result.diagnostics[0]?.hint).toContain(`--allow-destructive ${thing}`);
    expect(planMigration({ ...input, allowed: ['article.other'] }).value).toBeUndefined();
    expect(planMigration({ ...input, allowed: [thing] })).toMatchObject({ diagnostics: [] });
    const excess = planMigration({ ...input, allowed: [thing, 'article.other'] });
    expect(codes(excess)).toStrictEqual(['migrations/unneeded-consent']);
    expect(excess.value?.changes.length).toBeGreaterThan(0);
  });

  it('refuses to make one entry of many, or many of one, whatever is allowed', () => {
    const single = contentType('article', article.attributes, { kind: 'singleType' });
    for (const [from, to] of [
      [article, single],
      [single, article],
    ] as const) {
      const result = planMigration({ history: [planned(target(from))], target: target(to), allowed: ['article'] });
      expect(result.value).toBeUndefined();
      expect(codes(result)).toStrictEqual(['migrations/changes-kind']);
    }
  });

  it('makes an enumeration only of texts, which its values can be compared with', () => {
    const enumeration = contentType('article', [scalar('state', 'enumeration', { enum: ['new', 'done'] })]);
    const from = (type: 'boolean' | 'integer' | 'text') =>
      planMigration({
        history: [planned(target(contentType('article', [scalar('state', type)])))],
        target: target(enumeration),
      });
    for (const type of ['boolean', 'integer'] as const) {
      const { diagnostics } = from(type);
      expect(diagnostics.map(({ code }) => code)).toStrictEqual(['migrations/changes-type']);
      expect(diagnostics[0]?.message).toContain(`'article.state' changes from ${type} to an enumeration`);
      expect(diagnostics[0]?.hint).toContain('1. change its type to string, and build');
    }
    expect(codes(from('text'))).toStrictEqual(['migrations/narrows']);
  });

  it('refuses a relation to another type', () => {
    const result = planMigration({ history: [planned(target(...owned('author')))], target: target(...owned('team')) });
    expect(codes(result)).toStrictEqual(['migrations/changes-type']);
  });

  it('refuses to delete document ids, which nothing can bring back', () => {
    const history = [planned(target({ ...article, documentIds: true }))];
    const result = planMigration({ history, target: target(article) });
    expect(result.value).toBeUndefined();
    expect(codes(result)).toStrictEqual(['migrations/drops-documents']);
    expect(result.diagnostics[0]?.hint).toContain('--allow-destructive api.format');
    const { changes } = planned(target(article), history, ['api.format']);
    expect(changes.map(({ kind }) => kind)).toStrictEqual(['dropIndex', 'dropColumn']);
  });

  it('adds unique indexes where that is allowed, and drops them', () => {
    const withUnique = contentType('article', [scalar('title', 'email', { unique: true })]);
    const without = contentType('article', [scalar('title', 'email')]);
    const first = planned(target(without));
    expect(planMigration({ history: [first], target: target(withUnique) }).value).toBeUndefined();
    const second = planned(target(withUnique), [first], ['article.title']);
    const third = planned(target(without), [first, second]);
    expect([second, third].map(({ changes }) => changes.map(({ kind }) => kind))).toStrictEqual([
      ['createIndex'],
      ['dropIndex'],
    ]);
  });
});

describe('names', () => {
  it('say what a migration does, in at most 74 characters', () => {
    const first = planned(
      target(contentType('work-item', [relation('tags', 'manyWay', 'author')]), contentType('author', [])),
    );
    expect(first.name).toMatch(/^0001_create_work_item_author_[0-9a-f]{8}$/u);
    const added = contentType('author', [scalar('birthDay', 'date')]);
    const second = planned(target(contentType('work-item', [relation('tags', 'manyWay', 'author')]), added), [first]);
    expect(second.name).toMatch(/^0002_add_birth_day_to_authors_[0-9a-f]{8}$/u);
    const many = Array.from({ length: 50 }, (_, index) => contentType(`type-${index}`, []));
    expect(planned(target(...many)).name).toMatch(/^0001_create_type_0_.*_and_more_[0-9a-f]{8}$/u);
    expect(planned(target(...many)).name.length).toBeLessThanOrEqual(74);
    const long: Change = {
      kind: 'createIndex',
      table: 'x'.repeat(90),
      index: { name: 'i', columns: ['a'], unique: true },
    };
    expect(migrationName({ history: [{ format: 3, name: '0041_x', changes: [] }], changes: [long] })).toMatch(
      /^0042_change_[0-9a-f]{8}$/u,
    );
  });

  it('E05: differ where content or history do, and are the same where neither does', () => {
    const attributes = (...names: readonly string[]) =>
      target(
        contentType(
          'article',
          names.map((name) => scalar(name, 'string')),
        ),
      );
    const first = planned(attributes('a'));
    const [long, short] = [attributes('a', 'b', 'c'), attributes('a', 'b')];
    const second = planned(short, [first]);
    expect(planned(short, [first]).name).toBe(second.name);
    const other = planMigration({
      history: [first],
      target: short,
      notes: { renames: [], places: new Map([['article.b', { file: 'x.yaml', line: 9, column: 1, length: 1 }]]) },
    }).value;
    const later = planned(long, [first, second]);
    const onOther = planned(long, [first, { ...second, name: '0002_other' }]);
    const names = [second, other, later, onOther].map((plan) => plan?.name ?? '');
    expect(new Set(names).size).toBe(4);
    expect(new Set(names.map((name) => name.replace(/_[0-9a-f]{8}$/u, ''))).size).toBe(2);
    expect(names.every((name) => /_[0-9a-f]{8}$/u.test(name))).toBe(true);
  });
});

describe('SQL', () => {
  it('reads well', () => {
    const model = contentModel([
      contentType('article', [scalar('title', 'string', { required: true }), relation('tags', 'manyWay', 'tag')]),
      contentType('tag', []),
    ]);
    const hashed = planned(storage(model));
    expect(hashed.name).toMatch(/^0001_create_article_tag_[0-9a-f]{8}$/u);
    const plan = { ...hashed, name: '0001_create_article_tag' };
    const names = plan.changes.map((change) => (change.kind === 'createTable' ? change.table.name : ''));
    expect(names).toStrictEqual(['articles', 'tags', 'articles_tags_links']);
    const { up, down } = printSql(plan, 'sqlite');
    expect({ up, down }).toMatchSnapshot();
    expect(printSql(plan, 'postgres').up).toMatchSnapshot();
    expect(printSql(plan, 'mysql').up).toMatchSnapshot();
  });

  it('lets no text out of its place', () => {
    expect(sqlComment('a\nDROP TABLE x; \u2028\u202e -- */')).toBe('-- a DROP TABLE x;    -- */');
    expect(sqlLiteral(`a'; --\\`)).toBe(`'a''; --\\'`);
    expect(mysqlLiteral(`a\\'`)).toBe(`'a\\\\'''`);
    expect(() => sqlLiteral('\0')).toThrow('U+0000');
  });
});

function withoutScripts(plan: MigrationPlan): MigrationPlan {
  const { scripts: _, ...rest } = plan;
  return rest;
}

describe('the history on disk', () => {
  const dialects = ['sqlite', 'postgres'] as const;

  async function history(): Promise<{
    files: Map<string, string>;
    plans: readonly MigrationPlan[];
    at: (path: string) => string;
  }> {
    const first = planned(target(article));
    const second = planned(target(article, contentType('author', [])), [first]);
    let files = new Map<string, string>();
    files = await texts(emitMigrations({ files, history: [], added: [first], databases: dialects }));
    files = await texts(emitMigrations({ files, history: [first], added: [second], databases: dialects }));
    const at = (path: string): string =>
      `migrations/${path.startsWith('1') ? first.name : second.name}/${path.slice(2)}`;
    const plans = readHistory(files).value ?? [];
    expect(plans.map(withoutScripts)).toStrictEqual([first, second]);
    return { files, plans, at };
  }

  it('is read back as it was written, also with CRLF, and stays as it is', async () => {
    const { files, plans, at } = await history();
    expect([...files.keys()].filter((path) => path.includes('0001'))).toStrictEqual([
      at('1/plan.json'),
      at('1/sqlite/up.sql'),
      at('1/sqlite/down.sql'),
      at('1/postgres/up.sql'),
      at('1/postgres/down.sql'),
    ]);
    expect(readHistory(files)).toStrictEqual({ value: plans, diagnostics: [] });
    const crlf = new Map([...files].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));
    expect(readHistory(crlf).value).toStrictEqual(plans);
    files.set('migrations/.DS_Store', 'x').set(at('1/notes.md'), 'x');
    expect(readHistory(files).value).toStrictEqual(plans);
    const again = await texts(emitMigrations({ files, history: plans, added: [], databases: dialects }));
    expect([...again].every(([path, text]) => files.get(path) === text)).toBe(true);
    expect(readHistory(new Map())).toStrictEqual({ value: [], diagnostics: [] });
    expect(emitMigration(plans[0] ?? planned(target()), ['sqlite']).every(({ owner }) => owner === 'history')).toBe(
      true,
    );
  });

  it('gets SQL for a database that is added later, and keeps edited text of others', async () => {
    const { files, plans, at } = await history();
    const more = await texts(emitMigrations({ files, history: plans, added: [], databases: ['sqlite', 'mysql'] }));
    expect(more.get(at('1/mysql/up.sql'))).toContain('CREATE TABLE `articles`');
    expect(more.get(at('1/postgres/up.sql'))).toBe(files.get(at('1/postgres/up.sql')));
    // The plans also say how it runs.
    const known = readHistory(more).value ?? [];
    expect(known.map(withoutScripts)).toStrictEqual(plans.map(withoutScripts));
    for (const [index, { scripts }] of known.entries()) {
      expect(scripts).toStrictEqual({
        ...plans[index]?.scripts,
        mysql: { up: readScript(more.get(at(`${index + 1}/mysql/up.sql`)) ?? '', 'mysql'), down: expect.anything() },
      });
    }
  });

  const SUM = 'migrations/migrations.sum';
  it.each<readonly [string, (files: Map<string, string>, at: (path: string) => string) => unknown, string]>([
    ['an edited script', (files, at) => files.set(at('1/sqlite/up.sql'), ''), 'migrations/changed'],
    ['an added script', (files, at) => files.set(at('1/mysql/up.sql'), ''), 'migrations/changed'],
    ['a plan that is gone', (files, at) => files.delete(at('2/plan.json')), 'migrations/missing-plan'],
    ['a plan that is no JSON', (files, at) => files.set(at('2/plan.json'), '{'), 'migrations/broken-plan'],
    ['a plan of another kind', (files, at) => files.set(at('2/plan.json'), '{"format":2}'), 'migrations/broken-plan'],
    ['a sum that is gone', (files) => files.delete(SUM), 'migrations/missing-sum'],
    ['a broken sum', (files) => files.set(SUM, 'hello\n'), 'migrations/broken-sum'],
    ['a merge', (files) => files.set(SUM, `<<<<<<< HEAD\n${files.get(SUM)}`), 'migrations/branches-diverged'],
    ['a line too few', (files) => files.set(SUM, files.get(SUM)?.split('\n')[0] ?? ''), 'migrations/unlisted'],
    [
      'a migration that is gone',
      (files) => [...files.keys()].filter((path) => path.includes('0002')).map((path) => files.delete(path)),
      'migrations/missing',
    ],
  ])('reports %s', async (_, spoil, code) => {
    const { files, at } = await history();
    spoil(files, at);
    const result = readHistory(files);
    expect(result.value).toBeUndefined();
    expect(codes(result)).toContain(code);
    expect(result.diagnostics.every(({ kind, location }) => kind === 'refused' && location !== undefined)).toBe(true);
  });

  it('reports plans that do not follow from each other', async () => {
    const lonely: MigrationPlan = {
      format: 3,
      name: '0001_x',
      changes: [{ kind: 'createIndex', table: 'nowhere', index: { name: 'i', columns: ['a'], unique: false } }],
    };
    const files = await texts(
      emitMigrations({ files: new Map(), history: [], added: [lonely], databases: ['sqlite'] }),
    );
    expect(readHistory(files).diagnostics[0]?.message).toContain('nowhere');
  });
});
