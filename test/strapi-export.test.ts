/** What an archive for Strapi says: each of it was found by importing one into Strapi. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveOf } from './support/strapi-archive.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { sql } from '../templates/runtime/src/database/sql.ts';
import { openArchive } from '../src/strapi/open-archive.ts';
import type { StrapiEntity, StrapiLink } from '../src/strapi/records.ts';
import { PERMISSION } from '../src/strapi/own-names.ts';
import { openPlace, type Place } from './support/moving.ts';
import { openSchema } from './support/served-project.ts';
import { PENDING, schemaFor, V4, V5 } from './support/strapi-content.ts';

type Major = 4 | 5;

/** A type without drafts that leads to one with drafts. */
const SHELVES = `
  shelf:
    pluralName: shelves
    attributes:
      items: { type: relation, relation: morphToMany, targets: [article, tag] }
      best: { type: relation, relation: morphToOne, targets: [article, tag] }
components:`;

function schemaWithShelves(version: Major): string {
  return schemaFor('sqlite', version)
    .replace('\ncomponents:', SHELVES)
    .replace('    category: [find, findOne]\n', '    category: [find, findOne]\n    shelf: [create]\n')
    .replace('    users: [me]', '    users: [me, find]\n    content-type-builder: [find]');
}

let projects: Readonly<Record<Major, TestProject>>;
let folder: string;
beforeAll(async () => {
  projects = { 4: await openSchema(schemaWithShelves(4)), 5: await openSchema(schemaWithShelves(5)) };
  folder = join(projects[4].urlOf('x').slice('sqlite:'.length), '..', 'archives');
  mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await projects[4].remove();
  await projects[5].remove();
});

interface Exported {
  readonly entities: readonly StrapiEntity[];
  readonly links: readonly StrapiLink[];
  /** Key of the core store → value. */
  readonly settings: Readonly<Record<string, unknown>>;
}

async function readAll(file: string): Promise<Exported> {
  const archive = await openArchive(file);
  const entities: StrapiEntity[] = [];
  const links: StrapiLink[] = [];
  for await (const item of archive.read(['entity', 'link'])) {
    if (item.kind === 'entity') entities.push(item.entity);
    else if (item.kind === 'link') links.push(item.link);
  }
  const stored = archive.configuration.map(({ value }) => value as { key: string; value: unknown });
  return { entities, links, settings: Object.fromEntries(stored.map(({ key, value }) => [key, value])) };
}

let made = 0;

/** Imports the content of the tests, lets `change` do more to it, and exports all of it for Strapi. */
async function exportedFrom(
  version: Major,
  settings: Readonly<Record<string, string>> = {},
  change: (place: Place) => Promise<void> = () => Promise.resolve(),
): Promise<Exported> {
  const name = `back${(made += 1)}`;
  const place = await openPlace(projects[version], 'sqlite', name, settings);
  try {
    const archive = join(folder, `${name}.tar.gz`);
    writeFileSync(archive, await archiveOf(version === 4 ? V4 : V5));
    expect((await place.contentGen('import-strapi', archive)).code).toBe(4);
    await change(place);
    const out = join(folder, `${name}.out.tar.gz`);
    const exported = await place.contentGen('export', '--format', 'strapi', '--out', out);
    // The archives lack the bytes of files.
    expect(exported.code, exported.error).toBe(4);
    return await readAll(out);
  } finally {
    await place.drop();
  }
}

const ofType = ({ entities }: Exported, type: string) => entities.filter((entity) => entity.type === type);

/** Role → actions. */
function actionsByRole(exported: Exported): Readonly<Record<string, readonly unknown[]>> {
  const actions = new Map(ofType(exported, PERMISSION).map(({ id, data }) => [id, data['action']]));
  const roles = ofType(exported, 'plugin::users-permissions.role');
  return Object.fromEntries(
    roles.map(({ id, data }) => {
      const own = exported.links.filter(
        ({ left, right }) => left.type === PERMISSION && left.field === 'role' && right.ref === id,
      );
      return [data['type'], own.map(({ left }) => actions.get(Number(left.ref)))];
    }),
  );
}

describe('drafts that differ from what is published', () => {
  it('are rows of their own in version 5, and the same content after they were imported again', async () => {
    const rows = async (place: Place) => {
      const database = await place.open();
      try {
        const tables = ['articles', 'articles_published', 'articles_tags_links', 'articles_tags_links_published'];
        const all = await Promise.all(
          tables.map((table) => database.all(sql`SELECT * FROM ${database.dialect.id(table)} ORDER BY 1, 2`)),
        );
        // Ids of the archive are others.
        const own = ({ title, tag_id: tag, target_id: target, position }: Readonly<Record<string, unknown>>) =>
          title ?? [tag, target, position];
        return all.map((list) => list.map((one) => JSON.stringify(own(one))).sort());
      } finally {
        await database.close();
      }
    };
    const place = await openPlace(projects[5], 'sqlite', 'pending');
    const again = await openPlace(projects[5], 'sqlite', 'again');
    try {
      const archive = join(folder, 'pending.tar.gz');
      writeFileSync(archive, await archiveOf(PENDING));
      expect((await place.contentGen('import-strapi', archive)).code).toBe(4);
      const out = join(folder, 'pending.out.tar.gz');
      expect((await place.contentGen('export', '--format', 'strapi', '--out', out)).code).toBe(4);
      const articles = ofType(await readAll(out), 'api::article.article');
      expect(articles.map(({ data }) => [data['title'], data['publishedAt'] !== null]).sort()).toEqual([
        ['What all read', true],
        ['What is new', false],
      ]);
      const back = await again.contentGen('import-strapi', out);
      expect([0, 4], back.error).toContain(back.code);
      expect(await rows(again)).toEqual(await rows(place));
    } finally {
      await place.drop();
      await again.drop();
    }
  });
});

describe.each([4, 5] as const)('an archive for Strapi %s', (version) => {
  it('lets people sign in, and do with their account what they may do here', async () => {
    const roles = actionsByRole(await exportedFrom(version));
    const auth = (name: string) => `plugin::users-permissions.auth.${name}`;
    expect(roles['public']).toEqual(expect.arrayContaining(['callback', 'register', 'forgotPassword'].map(auth)));
    expect(roles['public']).not.toContain(auth('changePassword'));
    for (const role of ['authenticated', 'editor']) {
      expect(roles[role]).toContain(auth('changePassword'));
      expect(roles[role]).not.toContain(auth('callback'));
    }
    expect(roles['public']?.includes(auth('refresh'))).toBe(version === 5);
    expect(roles['authenticated']?.includes(auth('logout'))).toBe(version === 5);
  });

  it('gives all actions that a permission is, each once', async () => {
    const { authenticated = [] } = actionsByRole(await exportedFrom(version));
    const builder = 'plugin::content-type-builder';
    expect(authenticated).toEqual(
      expect.arrayContaining([
        'plugin::users-permissions.user.me',
        'plugin::users-permissions.user.find',
        'plugin::users-permissions.user.count',
        `${builder}.content-types.getContentTypes`,
        `${builder}.components.getComponent`,
        'plugin::upload.content-api.find',
      ]),
    );
    expect(new Set(authenticated).size).toBe(authenticated.length);
  });

  it('names locales as Strapi does, and files where they lie', async () => {
    const exported = await exportedFrom(version);
    expect(ofType(exported, 'plugin::i18n.locale').map(({ data }) => data)).toMatchObject([
      { code: 'en', name: 'English (en)' },
      { code: 'de', name: 'German (de)' },
    ]);
    const files = ofType(exported, 'plugin::upload.file');
    expect(files.map(({ data }) => data['folderPath'])).toEqual(['/', '/', '/']);
  });

  it('has no document id that is null, where Strapi makes one', async () => {
    const roles = ofType(await exportedFrom(version), 'plugin::users-permissions.role');
    expect(roles.length).toBe(3);
    for (const { data } of roles) expect(Object.hasOwn(data, 'documentId')).toBe(false);
  });

  it('leaves registration as it is', async () => {
    const key = 'plugin_users-permissions_advanced';
    const open = await exportedFrom(version);
    expect(open.settings[key]).toMatchObject({ allow_register: true, email_confirmation: false });
    const closed = await exportedFrom(version, { AUTH_REGISTRATION: 'false' });
    expect(closed.settings[key]).toMatchObject({ allow_register: false, default_role: 'authenticated' });
  });

  it('names one row for each target of a morph relation', async () => {
    const articles = version === 4 ? [1, 6] : [11, 14];
    const exported = await exportedFrom(version, {}, async (place) => {
      const server = await place.start();
      const items = [...articles.map((id) => ({ id, __type: 'article' })), { id: 5, __type: 'tag' }];
      const created = await server.send('POST', '/api/shelves', {
        headers: { 'strapi-response-format': 'v4' },
        body: { data: { items, best: items[0] } },
      });
      await server.close();
      expect(created.status, created.text).toBe(201);
    });
    const targets = (field: string) =>
      exported.links
        .filter(({ left }) => left.type === 'api::shelf.shelf' && left.field === field)
        .map(({ right }) => [right.type, right.ref, right.field]);
    const [published, draft] = version === 4 ? [1, 6] : [11 * 2 + 1, 14 * 2];
    const field = version === 4 ? undefined : 'items';
    expect(targets('items')).toEqual([
      ['api::article.article', published, field],
      ['api::article.article', draft, field],
      ['api::tag.tag', 5, field],
    ]);
    expect(targets('best')).toEqual([['api::article.article', published, undefined]]);
  });
});
