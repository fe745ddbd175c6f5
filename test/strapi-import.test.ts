/** Exports of Strapi are imported: everything that they have, or nothing. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error: it has no types.
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../src/cli/main.ts';
import { sql } from '../templates/runtime/src/database/sql.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { DAMAGED } from './support/damaged-archives.ts';
import { archiveOf, component, type Content, contentType } from './support/strapi-archive.ts';
import type { TestProject, TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openArchive } from '../src/strapi/open-archive.ts';
import { openPlace, type Place } from './support/moving.ts';
import { openSchema } from './support/served-project.ts';
import { BYTES, EXPECTED, PASSWORD, PENDING, PENDING_DOCUMENT, schemaFor, V4, V5 } from './support/strapi-content.ts';

const engines = await testedEngines();
let projects: Readonly<Record<4 | 5, TestProject>>;
let folder: string;
beforeAll(async () => {
  const databases = 'sqlite, postgres, mysql';
  projects = { 4: await openSchema(schemaFor(databases, 4)), 5: await openSchema(schemaFor(databases, 5)) };
  folder = join(projects[4].urlOf('x').slice('sqlite:'.length), '..', 'archives');
  mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await projects[4].remove();
  await projects[5].remove();
});

let made = 0;
async function archived(content: Content): Promise<string> {
  const file = join(folder, `archive-${(made += 1)}.tar.gz`);
  writeFileSync(file, await archiveOf(content));
  return file;
}

/** Runs work with a new place, which is removed. */
async function withPlace<T>(version: 4 | 5, work: (place: Place) => Promise<T>, engine = 'sqlite'): Promise<T> {
  const place = await openPlace(projects[version], engine as 'sqlite', `strapi${(made += 1)}`);
  try {
    return await work(place);
  } finally {
    await place.drop();
  }
}

async function withServer<T>(place: Place, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await place.start();
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

async function isEmpty(place: Place): Promise<boolean> {
  const database = await place.open();
  try {
    const tables = [
      'articles',
      'tags',
      'categories',
      'files',
      'users',
      'articles_tags_links',
      'articles_component_links',
    ];
    for (const table of tables) {
      const row = await database.get(sql`SELECT COUNT(*) AS number FROM ${database.dialect.id(table)}`);
      if (Number(row?.['number']) > 0) return false;
    }
  } finally {
    await database.close();
  }
  return !existsSync(place.uploads) || readdirSync(place.uploads).filter((name) => name !== '.incoming').length === 0;
}

const names = (list: { data: { attributes: { name: string } }[] }) =>
  list.data.map(({ attributes }) => attributes.name);

describe.each(engines)('an archive of version 4, into %s', (engine) => {
  it('comes whole: ids, order on both sides, drafts, locales, components, files, users, roles', async () => {
    await withPlace(
      4,
      async (place) => {
        const report = join(folder, `report-${engine}.json`);
        const result = await place.contentGen('import-strapi', await archived(V4), '--report', report);
        expect(result.error).toBe('');
        expect(result.code, result.out).toBe(4);
        const { findings, rows, isKept } = JSON.parse(readFileSync(report, 'utf8'));
        expect(isKept).toBe(true);
        expect(rows.every(({ isSame }: { isSame: boolean }) => isSame)).toBe(true);
        const found = Object.fromEntries(
          findings.map(({ kind, what, count }: { kind: string; what: string; count: number }) => [
            `${kind}: ${what}`,
            count,
          ]),
        );
        expect(found).toMatchObject({
          'left: attributes that the schema of this project does not have': 1,
          'left: files whose bytes are not in the archive': 1,
          'left: folders of the media library: their files are kept': 1,
          'left: permissions that this server does not have': 1,
          'nothing: links to entries that are not in the archive': 1,
          'nothing: links of types that are in no schema': 1,
          'nothing: links of components that no entry has': 1,
          'invalid: values that a request would be rejected for': 1,
          'changed: missing times': 1,
        });
        await withServer(place, async (server) => {
          const get = async (path: string, token?: string) =>
            (await server.send('GET', `/api/${path}`, { token })).body;
          const one = (
            await get(
              'articles/1?populate[tags]=*&populate[gallery]=*&populate[cover]=*&populate[localizations]=*&populate[category]=*',
            )
          ).data;
          expect(one.attributes).toMatchObject({
            title: 'First',
            slug: 'en-1',
            day: '1969-12-31',
            locale: 'en',
            createdAt: '2020-02-03T04:05:06.789Z',
            publishedAt: '2021-02-03T04:05:06.789Z',
          });
          expect(names(one.attributes.tags)).toEqual(['tag 3', 'tag 5', 'tag 1']);
          expect(one.attributes.gallery.data.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
          expect(one.attributes.cover.data).toMatchObject({ id: 1, attributes: { url: '/uploads/a_0000000001.txt' } });
          expect(one.attributes.localizations.data.map(({ id }: { id: number }) => id)).toEqual([4]);
          const { seo, zone } = (
            await get(
              'articles/1?populate[seo][populate][tags]=*&populate[seo][populate][quotes][populate]=*&populate[zone][populate]=*',
            )
          ).data.attributes;
          expect(names(seo.tags)).toEqual(['tag 2', 'tag 1']);
          expect(seo.quotes.map((quote: { text: string; by: any }) => [quote.text, quote.by.data?.id])).toEqual([
            ['two', undefined],
            ['one', 5],
          ]);
          expect(zone.map((item: { __component: string }) => item.__component)).toEqual(['shared.quote', 'shared.seo']);
          expect(zone[1].image.data.id).toBe(2);
          const only = (await get('categories/2?populate[articles][sort]=id')).data.attributes;
          expect(only.name).toBe('only');
          const ordered = (await get('tags/1?populate[articles]=*')).data.attributes.articles.data;
          expect(ordered.map(({ id }: { id: number }) => id)).toEqual([8, 1]);
          expect(
            (await get('articles?publicationState=preview&sort=id')).data.map(({ id }: { id: number }) => id),
          ).toEqual([1, 6, 8]);
          const bytes = await fetch(`${server.origin}/uploads/b_0000000002.txt`);
          expect(Buffer.from(await bytes.arrayBuffer())).toEqual(BYTES);
          const session = await server.signIn('erika@example.org', PASSWORD);
          expect(session.status).toBe(200);
          expect(session.body.user.id).toBe(7);
          // The role that only the archive has, with its permissions.
          const added = await server.send('POST', '/api/tags', {
            token: session.body.jwt,
            body: { data: { name: 'new' } },
          });
          const { id: newTag } = added.body.data;
          expect(newTag).toBeGreaterThan(5);
          const remove = async (id: number) =>
            (await server.send('DELETE', `/api/tags/${id}`, { token: session.body.jwt })).status;
          // Articles refer to the other, which the role may not update.
          expect([await remove(newTag), await remove(2)]).toEqual([200, 403]);
          expect((await server.signIn('otto', 'wrong')).status).toBe(400);
        });
        const database = await place.open();
        const user = await database.get(sql`SELECT password FROM users WHERE id = ${7}`);
        await database.close();
        expect(String(user?.['password'])).toMatch(/^\$scrypt\$/u);
      },
      engine,
    );
  });
});

describe.each(engines)('an archive of version 5, into %s', (engine) => {
  const titles = async (place: Place) => {
    const database = await place.open();
    const rows = await database.all(
      sql`SELECT a.id, a.title, a.document_id, a.published_at, t.target_id FROM articles a LEFT JOIN articles_tags_links t ON t.owner_id = a.id ORDER BY a.document_id`,
    );
    const live = await database.all(
      sql`SELECT a.id, a.title, a.document_id, d.updated_at > a.updated_at AS older, t.target_id FROM articles_published a JOIN articles d ON d.id = a.id LEFT JOIN articles_tags_links_published t ON t.owner_id = a.id ORDER BY a.document_id`,
    );
    await database.close();
    return {
      drafts: rows.map(({ id, title, document_id: document, published_at: published, target_id: tag }) => [
        Number(id),
        title,
        String(document).at(-1),
        published !== null,
        Number(tag),
      ]),
      published: live.map(({ id, title, document_id: document, older, target_id: tag }) => [
        Number(id),
        title,
        String(document).at(-1),
        Number(older) === 1 ? 'modified' : 'same',
        Number(tag),
      ]),
    };
  };

  it('has drafts beside what is published, also where they differ', async () => {
    await withPlace(
      5,
      async (place) => {
        const report = join(folder, `report-5-${engine}.json`);
        const result = await place.contentGen('import-strapi', await archived(V5), '--report', report);
        expect(result.code, result.error).toBe(4);
        expect(await titles(place)).toEqual({
          drafts: [
            [11, 'Same', 'a', true, 1],
            [13, 'Changed', 'b', true, 2],
            [14, 'Draft only', 'c', false, 5],
          ],
          published: [
            [11, 'Same', 'a', 'same', 1],
            [13, 'Before', 'b', 'modified', 3],
          ],
        });
        const { findings, rows } = JSON.parse(readFileSync(report, 'utf8'));
        expect(findings.filter(({ what }: { what: string }) => what.startsWith('pending changes'))).toEqual([]);
        expect(rows.every(({ isSame }: { isSame: boolean }) => isSame)).toBe(true);
      },
      engine,
    );
  });

  it('is answered in both states as it was', async () => {
    await withPlace(
      5,
      async (place) => {
        expect((await place.contentGen('import-strapi', await archived(PENDING))).code).toBe(4);
        await withServer(place, async (server) => {
          const populate =
            'populate[seo][populate]=*&populate[zone][populate]=*&populate[tags]=true&populate[gallery]=true';
          const read = async (status: string) => {
            const { body } = await server.send('GET', `/api/articles/${PENDING_DOCUMENT}?status=${status}&${populate}`);
            expect(body.error).toBeUndefined();
            const { title, slug, updatedAt, publishedAt, seo, zone, tags, gallery } = body.data;
            const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);
            return {
              ...{ title, slug, updatedAt, publishedAt, seo: [seo.title, ids(seo.tags)] },
              ...{ zone: zone.map((one: { text: string; by?: { id: number } }) => [one.text, one.by?.id]) },
              ...{ tags: ids(tags), gallery: ids(gallery) },
            };
          };
          expect(await read('published')).toEqual(EXPECTED.published);
          expect(await read('draft')).toEqual(EXPECTED.draft);
          const tag = (await server.send('GET', '/api/tags?filters[name]=tag 1&populate[articles]=true')).body.data[0];
          expect(tag.articles.map(({ title }: { title: string }) => title)).toEqual(['What all read']);
        });
      },
      engine,
    );
  });
});

describe('what could not keep its name', () => {
  const PRESS = 'api::press.press';
  const FILE_TYPE = 'api::file.file';
  const role = {
    type: 'plugin::users-permissions.role',
    id: 4,
    data: { name: 'Harbour Master', description: '', type: 'Harbour Master' },
  };
  const pdf = { type: 'relation', relation: 'oneToOne', target: 'plugin::upload.file' };
  const builtIn = ({ type }: { type: string }) => type.startsWith('plugin::');
  const renamed: Content = {
    ...V4,
    schemas: [
      ...V4.schemas.filter((schema) => (schema as { uid: string }).uid.startsWith('plugin::')),
      {
        ...contentType(PRESS, {
          title: { type: 'string' },
          box: { type: 'component', component: 'Page Parts.CTA_Box' },
          zone: { type: 'dynamiczone', components: ['Page Parts.CTA_Box'] },
          pdf,
          papers: { type: 'relation', relation: 'oneToMany', target: FILE_TYPE },
        }),
        collectionName: 'press_releases',
        info: { singularName: 'PressRelease', pluralName: 'PressReleases', displayName: 'Press' },
      },
      contentType(FILE_TYPE, { name: { type: 'string' } }),
      component('Page Parts.CTA_Box', {
        text: { type: 'string' },
        paper: { type: 'relation', relation: 'oneToOne', target: FILE_TYPE },
      }),
    ],
    entities: [
      ...(V4.entities as { type: string }[]).filter(builtIn),
      role,
      { type: FILE_TYPE, id: 3, data: { name: 'a paper' } },
      {
        type: PRESS,
        id: 5,
        data: {
          title: 'news',
          box: { id: 2, text: 'in a box' },
          zone: [{ __component: 'Page Parts.CTA_Box', id: 3, text: 'in a zone' }],
        },
      },
    ],
    links: [
      ...(V4.links as { left: { type: string } }[]).filter(({ left }) => left.type.startsWith('plugin::users')),
      {
        kind: 'relation.basic',
        relation: 'manyToOne',
        left: { type: 'plugin::users-permissions.user', field: 'role', ref: 7 },
        right: { type: role.type, ref: 4, field: 'users', pos: 1 },
      },
      {
        kind: 'relation.basic',
        relation: 'oneToOne',
        left: { type: PRESS, field: 'pdf', ref: 5 },
        right: { type: 'plugin::upload.file', ref: 1 },
      },
      {
        kind: 'relation.basic',
        relation: 'oneToMany',
        left: { type: PRESS, field: 'papers', ref: 5, pos: 1 },
        right: { type: FILE_TYPE, ref: 3 },
      },
      {
        kind: 'relation.basic',
        relation: 'oneToOne',
        left: { type: 'Page Parts.CTA_Box', field: 'paper', ref: 2 },
        right: { type: FILE_TYPE, ref: 3 },
      },
    ].filter(
      (link) =>
        !(
          'field' in link.left &&
          link.left.field === 'role' &&
          (link as any).left.ref === 7 &&
          (link as any).right.ref === 3
        ),
    ),
  };

  it('is found by the name that its schema was given', async () => {
    const archive = await archived(renamed);
    let said = '';
    const output = { write: (text: string) => (said += text), isTTY: false };
    const io = { stdout: output, stderr: output, cwd: folder, env: {} };
    const made = join(folder, 'renamed.yaml');
    expect(await main(['import', 'strapi', archive, '--out', made], io), said).toBe(0);
    const project = await openSchema(readFileSync(made, 'utf8'));
    try {
      const place = await openPlace(project, 'sqlite', 'renamed');
      const report = join(folder, 'renamed.json');
      const imported = await place.contentGen('import-strapi', archive, '--report', report);
      expect(imported.error).toBe('');
      const { findings } = JSON.parse(readFileSync(report, 'utf8'));
      const left = findings.filter(({ kind }: { kind: string }) => kind === 'left');
      expect(left.map(({ what }: { what: string }) => what)).toEqual([
        'files whose bytes are not in the archive',
        'folders of the media library: their files are kept',
        'permissions that this server does not have',
      ]);
      const database = await place.open();
      const [press] = await database.all(sql`SELECT * FROM press_releases`);
      expect(press).toMatchObject({ id: 5, title: 'news', pdf_id: 1 });
      expect(JSON.parse(String(press?.['box']))).toMatchObject({ text: 'in a box' });
      expect(JSON.parse(String(press?.['zone']))).toMatchObject([
        { __component: 'page-parts.cta-box', text: 'in a zone' },
      ]);
      const roles = sql`SELECT r.type FROM user_roles AS r JOIN users AS u ON u.role_id = r.id WHERE u.id = ${7}`;
      expect(await database.all(roles)).toMatchObject([{ type: 'harbour_master' }]);
      expect(await database.all(sql`SELECT name FROM content_files`)).toMatchObject([{ name: 'a paper' }]);
      expect(await database.all(sql`SELECT attribute FROM press_releases_component_links`)).toMatchObject([
        { attribute: 'paper' },
      ]);
      await database.close();
      await place.drop();
    } finally {
      await project.remove();
    }
  });
});

describe('what the database can not hold', () => {
  const tag = (id: number, name: unknown, rank: unknown = 1) => ({ type: 'api::tag.tag', id, data: { name, rank } });
  const content: Content = {
    ...V4,
    links: [],
    entities: [tag(1, 'one'), tag(2, 'one'), tag(3, null), tag(4, 'four', 'not a number')],
  };

  it('is refused with a file of decisions, which the next run reads', async () => {
    await withPlace(4, async (place) => {
      const file = join(folder, `decisions-${(made += 1)}.json`);
      const archive = await archived(content);
      const refused = await place.contentGen('import-strapi', archive, '--decisions', file);
      expect(refused.code).toBe(3);
      expect(refused.error).toContain('fill in');
      expect(await isEmpty(place)).toBe(true);
      const { decisions } = JSON.parse(readFileSync(file, 'utf8'));
      expect(decisions).toMatchObject([
        { type: 'tag', attribute: 'name', id: 2, choices: ['skip', 'suffix', 'value'], decision: '' },
        { type: 'tag', attribute: 'name', id: 3, choices: ['value', 'skip'], decision: '' },
        { type: 'tag', attribute: 'rank', id: 4, choices: ['clear', 'skip', 'value'], decision: '' },
      ]);
      const filled = [
        { ...decisions[0], decision: 'suffix' },
        { type: 'tag', attribute: 'name', id: 3, decision: 'value', value: 'new' },
        { type: 'tag', attribute: 'rank', decision: 'clear' },
      ];
      writeFileSync(file, JSON.stringify({ decisions: filled }));
      const done = await place.contentGen('import-strapi', archive, '--decisions', file, '--allow-drops');
      expect(done.code, done.error).toBe(0);
      const database = await place.open();
      expect(await database.all(sql`SELECT id, name FROM tags ORDER BY id`)).toMatchObject([
        { name: 'one' },
        { name: 'one-2' },
        { name: 'new' },
        { name: 'four' },
      ]);
      await database.close();
    });
  });

  it('is refused again where a decision is not possible', async () => {
    await withPlace(4, async (place) => {
      const file = join(folder, `decisions-${(made += 1)}.json`);
      writeFileSync(file, JSON.stringify({ decisions: [{ type: 'tag', decision: 'clear' }] }));
      const refused = await place.contentGen('import-strapi', await archived(content), '--decisions', file);
      expect(refused.code).toBe(3);
      expect(refused.error).toContain('the decision clear is not possible here, only skip, suffix, value');
      writeFileSync(file, JSON.stringify({ decisions: [{ type: 'tag', decision: 'delete' }] }));
      expect((await place.contentGen('import-strapi', await archived(content), '--decisions', file)).error).toContain(
        'must be one of clear, skip, suffix, default, value',
      );
    });
  });
});

it('keeps nothing in a rehearsal, with --strict, in a database with content, or of a damaged archive', async () => {
  await withPlace(4, async (place) => {
    const archive = await archived(V4);
    const rehearsal = await place.contentGen('import-strapi', archive, '--dry-run');
    expect(rehearsal.out).toContain('Nothing was kept');
    expect(await isEmpty(place)).toBe(true);
    expect(await place.contentGen('import-strapi', archive, '--strict')).toMatchObject({
      code: 3,
      error: expect.stringContaining('--strict'),
    });
    expect(await isEmpty(place)).toBe(true);
    const bytes = readFileSync(archive);
    writeFileSync(archive, bytes.subarray(0, -50));
    expect(await place.contentGen('import-strapi', archive)).toMatchObject({
      code: 3,
      error: expect.stringContaining('is truncated'),
    });
    expect(await isEmpty(place)).toBe(true);
    writeFileSync(archive, bytes);
    expect((await place.contentGen('import-strapi', archive)).code).toBe(4);
    expect(await place.contentGen('import-strapi', archive)).toMatchObject({
      code: 3,
      error: expect.stringContaining('already has content'),
    });
  });
});

it('stores files in a bucket too; a rehearsal leaves none there', async () => {
  const bucket = new S3rver({
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'media' }, { name: 'empty' }],
  });
  const { port } = (await bucket.run()) as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  const settings = (name: string) => ({
    S3_BUCKET: name,
    S3_ENDPOINT: origin,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    S3_FORCE_PATH_STYLE: 'true',
    S3_PUBLIC_URL: `${origin}/${name}`,
  });
  try {
    const archive = await archived(V4);
    const place = await openPlace(projects[4], 'sqlite', 'in_bucket', settings('media'));
    expect((await place.contentGen('import-strapi', archive)).code).toBe(4);
    await withServer(place, async (server) => {
      const { body } = await server.send('GET', '/api/upload/files?sort=id');
      expect(body).toMatchObject([
        { provider: 's3', url: `${origin}/media/a_0000000001.txt` },
        { provider: 's3', url: `${origin}/media/b_0000000002.txt` },
        // Its bytes are not in the archive: it keeps its address.
        { provider: 'local', url: '/uploads/missing_0000000003.txt' },
      ]);
      expect(Buffer.from(await (await fetch(body[1].url)).arrayBuffer())).toEqual(BYTES);
    });
    expect((await place.contentGen('import-strapi', archive)).code).toBe(3);
    expect((await fetch(`${origin}/media/a_0000000001.txt`)).status).toBe(200);
    const empty = await openPlace(projects[4], 'sqlite', 'empty_bucket', settings('empty'));
    expect((await empty.contentGen('import-strapi', archive, '--dry-run')).out).toContain('Nothing was kept');
    expect(await (await fetch(`${origin}/empty`)).text()).not.toContain('<Contents>');
  } finally {
    bucket.logger.exceptions.unhandle();
    await bucket.close();
  }
});

it('makes the same rows of the same archive', async () => {
  const archive = await archived(V4);
  const exports: string[] = [];
  for (const run of [1, 2]) {
    await withPlace(4, async (place) => {
      await place.contentGen('import-strapi', archive);
      const file = join(folder, `same-${run}-${(made += 1)}.jsonl`);
      // The archive lacks the bytes of files.
      expect((await place.data('export', file)).code).toBe(4);
      exports.push(readFileSync(file, 'utf8'));
    });
  }
  expect(exports[1]).toBe(exports[0]);
});

it('tells of settings of accounts that are others here', async () => {
  const advanced = { allow_register: false, email_confirmation: false, default_role: 'editor' };
  const setting = { type: 'core-store', value: { key: 'plugin_users-permissions_advanced', value: advanced } };
  const archive = await archived({ ...V4, configuration: [...(V4.configuration ?? []), setting] });
  await withPlace(4, async (place) => {
    const { out } = await place.contentGen('import-strapi', archive, '--dry-run');
    expect(out).toContain('set them in the environment: 1\n    AUTH_REGISTRATION=false\n');
    expect(out).toContain('the default role of new users: here it is authenticated: 1\n    editor\n');
    expect(out).not.toContain('AUTH_EMAIL_CONFIRMATION');
  });
});

it('shows where the answers of two servers differ', async () => {
  await withPlace(4, (first) =>
    withPlace(4, async (second) => {
      const archive = await archived(V4);
      for (const place of [first, second]) await place.contentGen('import-strapi', archive);
      await withServer(first, (a) =>
        withServer(second, async (b) => {
          const compare = () => first.contentGen('compare', '--base-a', a.origin, '--base-b', b.origin);
          const same = await compare();
          expect(same.code, same.out + same.error).toBe(0);
          expect(same.out).toMatch(/^(?<n>\d+) of \k<n> responses are the same/u);
          const database = await second.open();
          await database.transaction((tx) => tx.run(sql`UPDATE tags SET name = ${'other'} WHERE id = ${5}`));
          await database.close();
          const different = await compare();
          expect(different.code).toBe(1);
          expect(different.out).toContain('"tag 5" | "other"');
        }),
      );
    }),
  );
});

describe('a damaged archive leaves nothing but a message:', () => {
  /** What only small limits refuse is tested with the reader. */
  const BY_LIMITS = ['too-many-entries', 'too-large', 'too-compressed', 'long-line', 'too-deep'];
  const damaged = Object.entries(DAMAGED).filter(([, [, code]]) => !BY_LIMITS.includes(code));

  it('thirty kinds of it', async () => {
    expect(damaged.length).toBeGreaterThanOrEqual(28);
    await withPlace(4, async (place) => {
      const messages = new Set<string>();
      for (const [name, [make, , key]] of damaged) {
        const file = join(folder, 'damaged');
        writeFileSync(file, await make());
        const keyFile = join(folder, 'key');
        writeFileSync(keyFile, key ?? '');
        const result = await place.contentGen(
          'import-strapi',
          file,
          ...(key === undefined ? [] : ['--key-file', keyFile]),
        );
        expect({ name, code: result.code, error: result.error }).toEqual({
          name,
          code: 3,
          error: expect.stringMatching(/^[^\n]+Nothing was imported\.\n$/u),
        });
        messages.add(result.error);
        expect(await isEmpty(place), name).toBe(true);
      }
      expect(messages.size).toBeGreaterThan(20);
    });
  });
});

describe('an export in the format of Strapi', () => {
  it.each([4, 5] as const)('of version %s is imported to the same answers', async (version) => {
    await withPlace(version, (first) =>
      withPlace(version, async (second) => {
        await first.contentGen('import-strapi', await archived(version === 4 ? V4 : V5));
        const file = join(folder, `exported-${(made += 1)}.tar.gz`);
        const exported = await first.contentGen('export', '--format', 'strapi', '--out', file);
        expect(exported.code, exported.error).toBe(4);
        expect(exported.out).toContain(version === 4 ? 'for Strapi 4.' : 'for Strapi 5.');
        expect(await first.contentGen('export', '--format', 'strapi', '--out', file)).toMatchObject({ code: 3 });
        const archive = await openArchive(file);
        expect(archive.metadata.major).toBe(version);
        const imported = await second.contentGen('import-strapi', file, '--report', `${file}.json`);
        expect([0, 4], imported.error).toContain(imported.code);
        const { findings } = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
        const lost = findings.filter(({ kind }: { kind: string }) => kind === 'left' || kind === 'nothing');
        expect(lost.map(({ what }: { what: string }) => what)).toEqual(['files whose bytes are not in the archive']);
        await withServer(first, (a) =>
          withServer(second, async (b) => {
            const compared = await first.contentGen('compare', '--base-a', a.origin, '--base-b', b.origin);
            expect(compared.code, compared.out).toBe(0);
            expect((await b.signIn('erika', PASSWORD)).status).toBe(200);
          }),
        );
      }),
    );
  });
});
