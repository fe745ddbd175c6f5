/**
 * Localized content over HTTP, on each engine and in both formats: after random writes, every locale of every entry shows what a
 * model in memory says. `LOCALES_RUNS` and `LOCALES_SEED` make longer runs with other writes; a failure prints the writes,
 * minimized, and the seed.
 */
import fc from 'fast-check';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject, TestServer } from '../templates/runtime/test-support/test-project.ts';
import {
  type Card,
  type Change,
  Entry,
  type Locale,
  LocaleModel,
  LOCALES,
  LOCALIZED,
  type Place,
  SCHEMA,
  SIDES,
  type TypeName,
  TYPES,
  type Values,
} from './support/locale-model.ts';
import { openSchema } from './support/served-project.ts';

const RUNS = Number(process.env['LOCALES_RUNS'] ?? 3);
const SEED = Number(process.env['LOCALES_SEED'] ?? 20_251_125);
const PATHS: Readonly<Record<TypeName, string>> = { page: 'pages', note: 'notes', tag: 'tags', part: 'parts' };

/** A number that selects one of the things that exist when the write is sent. */
const pick = fc.nat({ max: 30 });
const format = fc.constantFrom('v4', 'v5');
const locale = fc.constantFrom(...LOCALES);
/** How a value names an entry: by document id, or by the id of one of its rows. */
const named = fc.record({ entry: pick, row: pick, byDocument: fc.boolean() });
const place = fc.record({ kind: fc.constantFrom('start', 'end', 'before', 'after'), anchor: named });
const relation = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), entries: fc.array(named, { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('change' as const),
    connect: fc.array(fc.record({ named, place }), { maxLength: 2 }),
    disconnect: fc.array(named, { maxLength: 1 }),
  }),
);
const card = fc.record({
  label: fc.constantFrom('l', 'm', null),
  one: fc.option(named),
  list: fc.array(named, { maxLength: 2 }),
});
const scalars = fc.record(
  {
    title: fc.constantFrom('A', 'B', null),
    rank: fc.nat({ max: 3 }),
    code: fc.constantFrom('c', 'd', null),
    card: fc.option(card),
    cards: fc.array(card, { maxLength: 2 }),
    mine: fc.array(named, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const data = fc.record({ scalars, relations: fc.array(fc.record({ side: pick, value: relation }), { maxLength: 2 }) });
const write = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      type: fc.constantFrom(...TYPES),
      locale,
      format,
      data,
      draft: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('localize' as const),
      entry: pick,
      locale,
      format,
      data,
      draft: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('update' as const), entry: pick, row: pick, format, data }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), entry: pick, row: pick, format, all: fc.boolean() }),
  },
);

type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Named = Generated<typeof named>;
type Data = Generated<typeof data>;
type Write = Generated<typeof write>;

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let database: TestDatabase | undefined;
  let server: TestServer;
  let rows: Database;
  let model: LocaleModel;
  let [accepted, refused] = [0, 0];
  /** The writes of a run, for the message of a failure. */
  let sent: string[] = [];

  beforeAll(async () => {
    project = await openSchema(SCHEMA);
    if (engine !== 'sqlite') database = await createDatabase(engine, `shared_locales_${process.pid}`);
    const url = database?.url ?? project.urlOf('test');
    server = await project.start({ DATABASE_URL: url });
    rows = await openDatabase(url);
  }, 120_000);
  afterAll(async () => {
    await rows?.close();
    await server?.close();
    await database?.drop();
    await project?.remove();
  });

  async function send(method: string, path: string, version: string, query: object, body?: unknown) {
    const text = qs.stringify(query, { encodeValuesOnly: true });
    if (method !== 'GET') sent.push(`${version} ${method} ${path}?${text} ${JSON.stringify(body)}`);
    return server.send(method, `/api/${path}${text === '' ? '' : `?${text}`}`, {
      ...(body !== undefined && { body }),
      headers: { 'strapi-response-format': version },
    });
  }

  function entriesOf(types: readonly TypeName[]): Entry[] {
    return model.entries.filter(({ type }) => types.includes(type));
  }

  function chosen<T>(all: readonly T[], number: number): T | undefined {
    return all[number % all.length];
  }

  /** The value that names an entry. */
  function reference(
    entry: Entry,
    { row, byDocument }: Named,
    version: string,
    isMorph: boolean,
  ): Record<string, unknown> {
    const id = chosen([...entry.rows.values()], row)?.id;
    const own = byDocument && version === 'v5' ? { documentId: entry.documentId } : { id };
    return { ...own, ...(isMorph && (version === 'v5' ? { __type: entry.type } : { type: entry.type })) };
  }

  /** The entries that can be named, each once. */
  function namedEntries(types: readonly TypeName[], all: readonly Named[]): (readonly [Entry, Named])[] {
    const known = new Map<Entry, Named>();
    for (const one of all) {
      const entry = chosen(entriesOf(types), one.entry);
      if (entry && !known.has(entry)) known.set(entry, one);
    }
    return [...known];
  }

  /** A relation's value for the server and its meaning for the model. */
  function relationOf(key: string, value: Data['relations'][number]['value'], version: string) {
    const { targets } = SIDES.get(key) ?? { targets: [] };
    const isMorph = targets.length > 1;
    if (value.kind === 'set') {
      const all = namedEntries(targets, value.entries);
      const change: Change = { kind: 'set', entries: all.map(([entry]) => entry) };
      return { change, body: { set: all.map(([entry, by]) => reference(entry, by, version, isMorph)) } };
    }
    const connect: { entry: Entry; place: Place }[] = [];
    const sent: unknown[] = [];
    for (const { named: by, place: at } of value.connect) {
      const entry = chosen(entriesOf(targets), by.entry);
      const anchor = chosen(entriesOf(targets), at.anchor.entry);
      if (!entry || !anchor || connect.some((other) => other.entry === entry)) continue;
      const isBeside = at.kind === 'before' || at.kind === 'after';
      // Elements that wait for an anchor have tests of their own.
      const isWaiting = value.connect.length > 1 || anchor === entry;
      if (isBeside && (isWaiting || isMorph)) continue;
      connect.push({ entry, place: isBeside ? { kind: at.kind as 'before', anchor } : { kind: at.kind as 'end' } });
      const position = isBeside
        ? { [at.kind]: Object.values(reference(anchor, at.anchor, version, false))[0] }
        : { [at.kind]: true };
      sent.push({ ...reference(entry, by, version, isMorph), position });
    }
    const gone = namedEntries(targets, value.disconnect).filter(([entry]) => {
      return !connect.some((one) => one.entry === entry || ('anchor' in one.place && one.place.anchor === entry));
    });
    const change: Change = { kind: 'change', connect, disconnect: gone.map(([entry]) => entry) };
    return {
      change,
      body: { connect: sent, disconnect: gone.map(([entry, by]) => reference(entry, by, version, isMorph)) },
    };
  }

  /** The body of a write, and its meaning for the model. */
  function bodyOf(type: TypeName, { scalars: given, relations }: Data, version: string) {
    const body: Record<string, unknown> = {};
    const values: { -readonly [Name in keyof Values]: Values[Name] } = {};
    const cardOf = (one: Generated<typeof card>): readonly [Card, unknown] => {
      const [only] = one.one ? namedEntries(['note'], [one.one]) : [];
      const list = namedEntries(['note'], one.list);
      const by = ([entry, how]: readonly [Entry, Named]) => reference(entry, how, version, false);
      return [
        { label: one.label, one: only?.[0], list: list.map(([entry]) => entry) },
        { label: one.label, one: only ? by(only) : null, list: list.map(by) },
      ];
    };
    if (given.title !== undefined) values.title = body['title'] = given.title;
    if (type === 'page') {
      if (given.rank !== undefined) values.rank = body['rank'] = given.rank;
      if (given.code !== undefined) values.code = body['code'] = given.code;
      if (given.card !== undefined) [values.card, body['card']] = given.card ? cardOf(given.card) : [null, null];
      if (given.cards) {
        const cards = given.cards.map(cardOf);
        values.cards = cards.map(([own]) => own);
        body['cards'] = cards.map(([, sent]) => sent);
      }
      if (given.mine) {
        const mine = namedEntries(['tag'], given.mine);
        values.mine = mine.map(([entry]) => entry);
        body['mine'] = mine.map(([entry, by]) => reference(entry, by, version, false));
      }
    }
    const keys = [...SIDES.keys()].filter((key) => key.startsWith(`${type}.`));
    const changes = new Map<string, Change>();
    for (const { side, value } of relations) {
      const key = chosen(keys, side) ?? '';
      // Both sides of one relation in one request have tests of their own.
      if (changes.has(key) || changes.has(SIDES.get(key)?.other ?? '')) continue;
      const { change, body: sent } = relationOf(key, value, version);
      changes.set(key, change);
      body[key.slice(type.length + 1)] = sent;
    }
    return { body, values, changes };
  }

  /** Whether the model allows the write: no value is taken, and all anchors are in their lists. */
  function allows(entry: Entry | undefined, values: Values, changes: ReadonlyMap<string, Change>): boolean {
    if (model.isTaken(entry, values)) return false;
    return [...changes].every(([key, change]) => {
      if (change.kind === 'set' || !SIDES.get(key)?.many) return true;
      const list = entry ? model.list(key, entry) : [];
      return change.connect.every(({ place: at }) => !('anchor' in at) || list.includes(at.anchor));
    });
  }

  async function perform(one: Write): Promise<void> {
    const version = one.format;
    if (one.kind === 'create') {
      const { type } = one;
      const localized = LOCALIZED.has(type);
      const own: Locale = localized ? one.locale : LOCALES[0];
      const { body, values, changes } = bodyOf(type, one.data, version);
      const isAllowed = allows(undefined, values, changes);
      const draft = type === 'note' && one.draft;
      const query = version === 'v5' ? { ...(localized && { locale: own }), ...(draft && { status: 'draft' }) } : {};
      const more = version === 'v4' ? { ...(localized && { locale: own }), ...(draft && { publishedAt: null }) } : {};
      const answer = await send('POST', PATHS[type], version, query, { data: { ...body, ...more } });
      expect(answer.status, answer.text).toBe(isAllowed ? 201 : 400);
      if (!isAllowed) return void (refused += 1);
      accepted += 1;
      const entry = new Entry(type);
      await remember(entry, own, answer.body.data.id, !draft);
      model.entries.push(entry);
      commit(entry, own, values, changes);
      return;
    }
    const entry = chosen(model.entries, one.entry);
    if (!entry) return;
    const path = PATHS[entry.type];
    const localized = LOCALIZED.has(entry.type);
    if (one.kind === 'localize') {
      if (!localized || entry.rows.has(one.locale)) return;
      const { body, values, changes } = bodyOf(entry.type, one.data, version);
      const isAllowed = allows(entry, values, changes);
      const draft = entry.type === 'note' && one.draft;
      const source = [...entry.rows.values()][0]?.id ?? 0;
      const published = entry.type === 'note' ? { publishedAt: draft ? null : new Date().toISOString() } : {};
      const answer =
        version === 'v5'
          ? await send(
              'PUT',
              `${path}/${entry.documentId}`,
              version,
              { locale: one.locale, ...(draft && { status: 'draft' }) },
              { data: body },
            )
          : await send(
              'POST',
              `${path}/${source}/localizations`,
              version,
              {},
              { ...body, ...published, locale: one.locale },
            );
      expect(answer.status, answer.text).toBe(isAllowed ? (version === 'v5' ? 200 : 201) : 400);
      if (!isAllowed) return void (refused += 1);
      accepted += 1;
      await remember(entry, one.locale, version === 'v5' ? answer.body.data.id : answer.body.id, !draft);
      commit(entry, one.locale, values, changes);
      return;
    }
    const [own, row] = chosen([...entry.rows], one.row) ?? [LOCALES[0], undefined];
    if (!row) return;
    if (one.kind === 'update') {
      const { body, values, changes } = bodyOf(entry.type, one.data, version);
      const isAllowed = allows(entry, values, changes);
      const query =
        version === 'v5' ? { ...(localized && { locale: own }), ...(!row.published && { status: 'draft' }) } : {};
      const answer = await send('PUT', `${path}/${version === 'v5' ? entry.documentId : row.id}`, version, query, {
        data: body,
      });
      expect(answer.status, answer.text).toBe(isAllowed ? 200 : 400);
      if (!isAllowed) return void (refused += 1);
      accepted += 1;
      commit(entry, own, values, changes);
      return;
    }
    const all = one.all && version === 'v5' && localized;
    const query = version === 'v5' && localized ? { locale: all ? '*' : own } : {};
    const answer = await send('DELETE', `${path}/${version === 'v5' ? entry.documentId : row.id}`, version, query);
    expect(answer.status, answer.text).toBe(version === 'v5' ? 204 : 200);
    accepted += 1;
    for (const gone of all ? [...entry.rows.keys()] : [own]) model.removeRow(entry, gone);
  }

  async function remember(entry: Entry, own: Locale, id: number, published: boolean): Promise<void> {
    entry.rows.set(own, { id, published, title: null, mine: [] });
    if (entry.documentId !== '') return;
    const query = `SELECT document_id FROM ${PATHS[entry.type]} WHERE id = ${id}`;
    entry.documentId = String((await rows.get(raw(query)))?.['document_id']);
  }

  function commit(entry: Entry, own: Locale, values: Values, changes: ReadonlyMap<string, Change>): void {
    model.apply(entry, own, values);
    for (const [key, change] of changes) expect(model.change(key, entry, change)).toBe(true);
  }

  /** A related entry as it is expected in an answer, and as it is found in one. */
  function shownIn(wanted: Locale, live: boolean) {
    return (entry: Entry): string[] => {
      const shown = entry.shownLocale(wanted, live);
      return shown === undefined ? [] : [`${entry.type} ${entry.rows.get(shown)?.id}`];
    };
  }

  function foundIn(value: any, [type]: readonly TypeName[]): string[] {
    const list = value?.data === undefined || Array.isArray(value) ? value : value.data;
    return [list ?? []].flat().map((one: any) => {
      const kind = one.__type ?? one.attributes?.__type;
      return `${kind === undefined ? type : kind.split('.').at(-1)} ${one.id}`;
    });
  }

  const CARDS = { populate: { one: true, list: true } };
  const POPULATE = Object.fromEntries(
    TYPES.map((type) => {
      const own = [...SIDES.keys()]
        .filter((key) => key.startsWith(`${type}.`))
        .map((key) => key.slice(type.length + 1));
      const relations = Object.fromEntries(own.map((name) => [name, true]));
      return [type, { ...relations, ...(type === 'page' && { mine: true, card: CARDS, cards: CARDS }) }];
    }),
  ) as Readonly<Record<TypeName, object>>;

  async function checkRow(entry: Entry, own: Locale, version: string, live: boolean): Promise<void> {
    const row = entry.rows.get(own);
    if (!row || (live && !row.published)) return;
    const localized = LOCALIZED.has(entry.type);
    // A type without locales is read in each of them.
    for (const wanted of localized ? [own] : LOCALES) {
      const state =
        version === 'v5' ? { status: live ? 'published' : 'draft' } : { publicationState: live ? 'live' : 'preview' };
      const isNamed = version === 'v5' || !localized;
      const query = { populate: POPULATE[entry.type], ...state, ...(isNamed && { locale: wanted }) };
      const key = version === 'v5' ? entry.documentId : row.id;
      const answer = await send('GET', `${PATHS[entry.type]}/${key}`, version, query);
      expect(answer.status, answer.text).toBe(200);
      const found = version === 'v5' ? answer.body.data : answer.body.data.attributes;
      const shown = shownIn(wanted, live);
      const expected: Record<string, unknown> = { title: row.title };
      const actual: Record<string, unknown> = { title: found.title };
      for (const [side, { targets }] of SIDES) {
        const name = side.slice(entry.type.length + 1);
        if (!side.startsWith(`${entry.type}.`)) continue;
        expected[name] = model.list(side, entry).flatMap(shown);
        actual[name] = foundIn(found[name], targets);
      }
      if (entry.type === 'page') {
        const cards = (all: readonly Card[]) =>
          all.map(({ label, one, list }) => ({ label, one: one ? shown(one) : [], list: list.flatMap(shown) }));
        const foundCards = (all: any) =>
          [all ?? []].flat().map(({ label, one, list }: any) => ({
            label,
            one: foundIn(one, ['note']),
            list: foundIn(list, ['note']),
          }));
        Object.assign(expected, { rank: entry.rank, code: entry.code, mine: row.mine.flatMap(shown) });
        Object.assign(actual, { rank: found.rank, code: found.code, mine: foundIn(found.mine, ['tag']) });
        Object.assign(expected, { card: cards(entry.cards.card), cards: cards(entry.cards.cards) });
        Object.assign(actual, { card: foundCards(found.card), cards: foundCards(found.cards) });
      }
      expect(actual, `${entry.type} ${row.id} in ${wanted}, ${version}, ${live ? 'live' : 'preview'}`).toEqual(
        expected,
      );
    }
  }

  /** Counts and filters agree with the lists. */
  async function checkList(key: string, wanted: Locale): Promise<void> {
    const side = SIDES.get(key);
    const [type, name] = key.split('.') as [TypeName, string];
    if (!side || side.targets.length > 1) return;
    const shown = (entry: Entry) => model.list(key, entry).flatMap(shownIn(wanted, true));
    const visible = (entry: Entry) => (LOCALIZED.has(type) ? entry.rows.get(wanted)?.published === true : true);
    const all = entriesOf([type]).filter(visible);
    const common = { locale: wanted, pagination: { pageSize: 100 } };
    const populate = side.many ? { populate: { [name]: { count: true } } } : {};
    const counted = await send('GET', PATHS[type], 'v5', { ...common, ...populate });
    expect(counted.status, counted.text).toBe(200);
    if (side.many) {
      const counts = new Map(counted.body.data.map((one: any) => [one.documentId, one[name].count]));
      expect(counts, key).toEqual(new Map(all.map((entry) => [entry.documentId, shown(entry).length])));
    }
    for (const target of entriesOf(side.targets)) {
      const listed = await send('GET', PATHS[type], 'v5', {
        ...common,
        filters: { [name]: { documentId: target.documentId } },
      });
      const having = all.filter((entry) => shownIn(wanted, true)(target).some((one) => shown(entry).includes(one)));
      expect(new Set(listed.body.data.map((one: any) => one.documentId)), key).toEqual(
        new Set(having.map(({ documentId }) => documentId)),
      );
      expect(listed.body.meta.pagination.total, key).toBe(having.length);
    }
  }

  async function checkAll(index: number): Promise<void> {
    for (const [number, entry] of model.entries.entries()) {
      for (const own of entry.rows.keys()) {
        const isOdd = (number + index) % 2 === 1;
        await checkRow(entry, own, isOdd ? 'v5' : 'v4', entry.type === 'note' ? index % 3 === 0 : index % 3 !== 0);
      }
    }
    await checkList([...SIDES.keys()][index % SIDES.size] ?? '', LOCALES[index % 3] ?? 'en');
    const slugs = new Map<string, string>();
    for (const { slug, document_id: document } of await rows.all(raw('SELECT slug, document_id FROM pages'))) {
      expect(slugs.get(String(slug)) ?? document).toBe(document);
      slugs.set(String(slug), String(document));
    }
  }

  it('shows in each locale what the model says', async () => {
    let index = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 12, maxLength: 30, size: 'max' }), async (writes) => {
        model = new LocaleModel();
        for (const type of TYPES) await rows.script(`DELETE FROM ${PATHS[type]};`);
        sent = [];
        try {
          for (const one of writes) {
            await perform(one);
            index += 1;
            await checkAll(index);
          }
        } catch (error) {
          throw new Error(`${(error as Error).message}\n${sent.join('\n')}`, { cause: error });
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true, includeErrorInReport: false },
    );
    expect(accepted).toBeGreaterThan(refused);
  }, 3_600_000);
});
