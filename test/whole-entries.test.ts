/** Entries with everything that their types have, zones and components all the way down, go in and come back whole over HTTP. */
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from './support/project.ts';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import {
  asBody,
  bodyOf,
  definitionsOf,
  everythingOf,
  itemIds,
  type SchemaText,
  type Targets,
} from './support/whole-entries.ts';

let server: ServedProject;
let schema: SchemaText;
let targets: Targets;

function pathOf(uid: string): string {
  const { kind, pluralName } = schema.contentTypes[uid] ?? {};
  return `/api/${kind === 'singleType' ? uid : (pluralName ?? server.definition.contentTypes.types[uid]?.pluralName)}`;
}

async function upload(names: readonly string[]): Promise<number[]> {
  const form = new FormData();
  for (const name of names) form.append('files', new Blob([pngOf(4, 3)]), name);
  const answer = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form });
  expect(answer.status).toBeLessThan(300);
  return ((await answer.json()) as { id: number }[]).map(({ id }) => id);
}

beforeAll(async () => {
  const text = await fixtureSchema('magazine');
  schema = definitionsOf(text);
  server = await serveProject(text);
  const entries = new Map<string, number[]>();
  targets = { entries, images: await upload(['a.png', 'b.png']) };
  for (const [uid, { kind, attributes }] of Object.entries(schema.contentTypes)) {
    if (kind === 'singleType') continue;
    for (const _ of [1, 2]) {
      const data = bodyOf(schema, attributes, targets);
      const made = await request(server.origin, 'POST', pathOf(uid), data);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      entries.set(uid, [...(entries.get(uid) ?? []), made.body.data.id]);
    }
  }
});
afterAll(() => server?.close());

/** Reads an entry with everything, and says what body would give it. */
async function read(uid: string, path: string) {
  const attributes = schema.contentTypes[uid]?.attributes ?? {};
  // A further locale is a draft at first.
  const wanted = { populate: everythingOf(schema, attributes), publicationState: 'preview' };
  const query = qs.stringify(wanted, { encodeValuesOnly: true });
  const { status, body } = await request(server.origin, 'GET', `${path}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    body: asBody(schema, attributes, body.data.attributes),
    ids: itemIds(schema, attributes, body.data.attributes),
    attributes: body.data.attributes,
  };
}

/** Attributes with the ids of their items: what a client echoes back. */
function withIds(uid: string, name: string, answered: any): unknown {
  const definition = schema.contentTypes[uid]?.attributes[name];
  const components = definition?.type === 'component' || definition?.type === 'dynamiczone';
  if (!components || answered === null) return undefined;
  return Array.isArray(answered) ? answered.map(({ id, __component }: any) => ({ id, __component })) : undefined;
}

/** As refine and the providers of react-admin hand an answer to a form: entries without `data` and `attributes` around them. */
function unwrapped(value: any): any {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === 'data') return unwrapped(value.data);
  const { id, attributes, meta: _, ...rest } = value;
  if (attributes) return { id, ...unwrapped(attributes) };
  return Object.fromEntries(Object.entries(id === undefined ? rest : value).map(([key, one]) => [key, unwrapped(one)]));
}

/** As `entry.attributes.category.data` is sent by a client of its own: entries whole, lists and files too. */
function withoutData(attributes: any): any {
  const entries = Object.entries<any>(attributes).filter(([, value]) => value?.data?.id ?? value?.data?.[0]);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.data]));
}

/** The first object of a value that is an entry: what has the attributes of another type beside its id. */
function related(value: any): Record<string, unknown> | undefined {
  return [value].flat().find((one) => typeof one === 'object' && one !== null && 'createdAt' in one);
}

describe('an entry with everything of', () => {
  it('each type is returned as it was sent, also after other changes', async () => {
    for (const [uid, { kind, attributes }] of Object.entries(schema.contentTypes)) {
      const sent = bodyOf(schema, attributes, targets);
      const isSingle = kind === 'singleType';
      const written = await request(server.origin, isSingle ? 'PUT' : 'POST', pathOf(uid), sent);
      expect(written.status, `${uid}: ${JSON.stringify(written.body)}`).toBe(201);
      const path = isSingle ? pathOf(uid) : `${pathOf(uid)}/${written.body.data.id}`;
      const first = await read(uid, path);
      expect(first.body, uid).toEqual(sent);
      expect(new Set(first.ids).size).toBe(first.ids.length);

      // Items that are named by id only, in another order, keep what they have: nothing of it was sent.
      const echoed = Object.entries(first.attributes).flatMap(([name, value]) => {
        const items = withIds(uid, name, value);
        return Array.isArray(items) ? [[name, items.toReversed().filter((item) => item !== undefined)]] : [];
      });
      const moved = await request(server.origin, 'PUT', path, Object.fromEntries(echoed));
      expect(moved.status, `${uid}: ${JSON.stringify(moved.body)}`).toBe(200);
      const second = await read(uid, path);
      const turned = echoed.map(([name]) => [name, (sent[name as string] as unknown[]).toReversed()]);
      expect(second.body, uid).toEqual({ ...sent, ...Object.fromEntries(turned) });
      expect(second.ids.toSorted((a, b) => a - b)).toEqual(first.ids.toSorted((a, b) => a - b));
    }
  });

  it('a localized type has zones of its own in each locale', async () => {
    const types = Object.entries(schema.contentTypes);
    const localized = types.filter(([, type]) => type.localized && type.kind !== 'singleType');
    expect(localized).not.toEqual([]);
    for (const [uid, { attributes }] of localized) {
      const sent = bodyOf(schema, attributes, targets);
      const { body } = await request(server.origin, 'POST', pathOf(uid), sent);
      const other = bodyOf(schema, attributes, targets);
      const added = await fetch(`${server.origin}${pathOf(uid)}/${body.data.id}/localizations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ locale: server.definition.contentTypes.locales[1], ...other }),
      });
      const { id } = (await added.json()) as { id: number };
      expect(added.status).toBe(201);
      const known = server.definition.contentTypes.types[uid]?.attributes ?? {};
      // A one-to-many takes its targets from the locale that had them.
      const isOwn = (name: string) => known[name]?.shared === undefined && known[name]?.type !== 'relation';
      const own = Object.keys(sent).filter(isOwn);
      const [here, there] = [
        await read(uid, `${pathOf(uid)}/${body.data.id}`),
        await read(uid, `${pathOf(uid)}/${id}`),
      ];
      for (const name of own) {
        expect(here.body[name], name).toEqual(sent[name]);
        expect(there.body[name], name).toEqual(other[name]);
      }
      expect(here.ids.filter((item) => there.ids.includes(item))).toEqual([]);
    }
  });

  it('C01: each type may be sent back as it was read, with its populated relations and files', async () => {
    let refused = 0;
    for (const [uid, { kind, attributes }] of Object.entries(schema.contentTypes)) {
      const sent = bodyOf(schema, attributes, targets);
      const isSingle = kind === 'singleType';
      const written = await request(server.origin, isSingle ? 'PUT' : 'POST', pathOf(uid), sent);
      const path = isSingle ? pathOf(uid) : `${pathOf(uid)}/${written.body.data.id}`;
      const first = await read(uid, path);
      const form = unwrapped(first.attributes);
      for (const body of [form, withoutData(first.attributes)]) {
        const echoed = await request(server.origin, 'PUT', path, body);
        expect(echoed.status, `${uid}: ${JSON.stringify(echoed.body)}`).toBe(200);
        expect((await read(uid, path)).body, uid).toEqual(first.body);
      }

      for (const [name, value] of Object.entries(form)) {
        const entry = related(value);
        if (!entry || 'data' in entry || schema.contentTypes[uid]?.attributes[name]?.type === 'component') continue;
        refused += 1;
        const wrong = await request(server.origin, 'PUT', path, { [name]: [{ ...entry, nonsense: 1 }] });
        expect(wrong.status, name).toBe(400);
        expect(wrong.body.error.message).toContain('has the unknown key "nonsense"');
      }
    }
    expect(refused).toBeGreaterThan(3);
  });
});
