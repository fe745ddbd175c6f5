import { describe, expect, it } from 'vitest';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { parseMediaValue } from './media-value.ts';
import type { RelationChange } from './relation-change.ts';
import { parseRelationValue } from './relation-value.ts';

const TO_MANY = { many: true, targets: ['tag'], morph: false };
const MORPH = { many: true, targets: ['tag', 'user'], morph: true };

function parse(value: unknown, attribute = TO_MANY, unknownKeys: 'reject' | 'ignore' = 'reject') {
  const types: ContentTypes = { types: {}, components: {}, locales: ['en'] };
  return parseRelationValue({ attribute, value, path: ['tags'], unknownKeys, types });
}

/** A change in short: `tag:1`, or `tag:1 before tag:2`. */
function shown(change: RelationChange | undefined): unknown {
  if (change?.kind !== 'change') return change?.targets.map(({ type, id }) => `${type}:${id}`);
  const connect = change.connect.map(({ type, id, position }) => {
    const anchor = 'anchor' in position ? ` ${position.anchor.type}:${position.anchor.id}` : '';
    return `${type}:${id} ${position.kind}${anchor}`;
  });
  return { connect, disconnect: change.disconnect.map(({ type, id }) => `${type}:${id}`) };
}

const parsedJson = (text: string): unknown => JSON.parse(text);

const paths = (value: unknown) => {
  const { change } = parse(value);
  return change?.kind === 'set' ? change.targets.map(({ path }) => path.join('.')) : undefined;
};

describe('shapes that are understood', () => {
  it.each<[unknown, unknown]>([
    [undefined, undefined],
    [null, []],
    [[], []],
    [5, ['tag:5']],
    ['5', ['tag:5']],
    [Number.MAX_SAFE_INTEGER, [`tag:${Number.MAX_SAFE_INTEGER}`]],
    [{ id: '5', type: 'api::tag.tag' }, ['tag:5']],
    [{ id: 5, __type: 'api::tag.tag', type: 'tag' }, ['tag:5']],
    [
      [2, '1', { id: 3 }],
      ['tag:2', 'tag:1', 'tag:3'],
    ],
    [{ set: [] }, []],
    [{ set: [1, { id: '2' }] }, ['tag:1', 'tag:2']],
    [{ set: 1 }, ['tag:1']],
    [{ set: { id: '1' } }, ['tag:1']],
    [
      { connect: '1', disconnect: { id: 2 } },
      { connect: ['tag:1 end'], disconnect: ['tag:2'] },
    ],
    [{ connect: { id: 1, position: { start: true } } }, { connect: ['tag:1 start'], disconnect: [] }],
    [{ data: null }, []],
    [{ data: { id: 1, attributes: {}, meta: {} } }, ['tag:1']],
    [{ data: [{ id: 1, attributes: {} }, { id: 2 }] }, ['tag:1', 'tag:2']],
    [{}, undefined],
    [{ connect: null }, undefined],
    [{ connect: [], disconnect: null }, undefined],
    [{ disconnect: [1, '1', { id: 2 }] }, { connect: [], disconnect: ['tag:1', 'tag:1', 'tag:2'] }],
    [
      { connect: [1, { id: 2, position: null }, { id: 3, position: {} }, { id: 4, position: { end: true } }] },
      { connect: ['tag:1 end', 'tag:2 end', 'tag:3 end', 'tag:4 end'], disconnect: [] },
    ],
    [
      {
        connect: [
          { id: '1', position: { start: true } },
          { id: 2, position: { before: '1' } },
          { id: 3, position: { after: { id: 9, type: 'tag' } } },
        ],
        disconnect: [1],
      },
      { connect: ['tag:1 start', 'tag:2 before tag:1', 'tag:3 after tag:9'], disconnect: ['tag:1'] },
    ],
  ])('%j', (value, expected) => {
    const { change, issues } = parse(value);
    expect(issues).toStrictEqual([]);
    expect(shown(change)).toStrictEqual(expected);
  });

  it('has the path of each entry', () => {
    expect([paths(1), paths([1, 2]), paths({ set: [1] })]).toStrictEqual([
      ['tags'],
      ['tags.0', 'tags.1'],
      ['tags.set.0'],
    ]);
  });

  it('accepts link objects for several types, and the same id of two types', () => {
    const user = 'plugin::users-permissions.user';
    const anchored = { id: 1, type: user, position: { after: { id: 1, type: 'tag' } } };
    expect(
      shown(
        parse(
          [
            { id: 1, type: 'tag' },
            { id: '1', __type: user },
          ],
          MORPH,
        ).change,
      ),
    ).toStrictEqual(['tag:1', 'user:1']);
    expect(shown(parse({ connect: [anchored] }, MORPH).change)).toMatchObject({ connect: ['user:1 after tag:1'] });
    const asRead = { id: 1, attributes: { __type: user, username: 'x' }, meta: { availableLocales: [] } };
    expect(shown(parse({ data: [asRead] }, MORPH).change)).toStrictEqual(['user:1']);
  });

  it.each(['user', 'api::user.user', 'plugin::users-permissions.user'])('the type user is called %s', (type) => {
    const element = { id: 1, type, position: { after: { id: 2, __type: type } } };
    expect(shown(parse({ connect: element }, MORPH).change)).toMatchObject({ connect: ['user:1 after user:2'] });
    expect(parse({ connect: element }).issues).toHaveLength(1);
  });

  describe('C01: beside an id', () => {
    const scalar = (column: string) => ({ type: 'string', column }) as const;
    const base = { kind: 'collectionType', draftAndPublish: false, localized: false } as const;
    const tag: ContentType = {
      ...{ ...base, uid: 'tag', singularName: 'tag', pluralName: 'tags', table: 'tags' },
      attributes: {
        label: scalar('label'),
        type: scalar('type'),
        position: scalar('position'),
        secret: { ...scalar('secret'), private: true },
        pin: { type: 'password', column: 'pin' },
      },
    };
    const types: ContentTypes = { types: { tag }, components: {}, locales: ['en'] };
    const parseWith = (value: unknown, attribute = TO_MANY) =>
      parseRelationValue({ attribute, value, path: ['tags'], unknownKeys: 'reject', types });

    it('keys that responses show of the target are ignored, even if they are also keys of link objects', () => {
      const shownKeys = { label: 'x', type: 'fruit', createdAt: 'x', publishedAt: null, locale: 'en', meta: {} };
      const entry = { id: 1, ...shownKeys, attributes: { label: 'x' } };
      for (const value of [[{ ...entry, position: 3 }], { set: [{ ...entry, position: 3 }] }, entry]) {
        expect(shown(parseWith(value).change)).toStrictEqual(['tag:1']);
      }
      expect(shown(parseWith({ connect: [entry], disconnect: [{ ...entry, id: 2 }] }).change)).toStrictEqual({
        connect: ['tag:1 end'],
        disconnect: ['tag:2'],
      });
    });

    it.each(['nonsense', 'secret', 'pin', 'constructor', '__proto__', 'label ', 'connect'])(
      'the key %s, which no answer shows, is an issue',
      (key) => {
        const entry = parsedJson(`{"id": 1, "label": "x", "${key}": 1}`);
        expect(parseWith([entry]).issues).toMatchObject([{ path: ['tags', '0'] }]);
      },
    );

    it('a position in connect is one, and a type of several targets names one of them', () => {
      expect(parseWith({ connect: [{ id: 1, position: 3 }] }).issues).toHaveLength(1);
      expect(parseWith([{ id: 1, type: 'fruit' }], MORPH).issues).toHaveLength(1);
      expect(parseWith([{ id: 1, __type: 'api::leaf.leaf' }]).issues).toHaveLength(1);
    });
  });

  it('drops unknown keys of elements if they are to be ignored', () => {
    const value = [parsedJson('{"id": 1, "attributes": {}, "__proto__": {"id": 9}, "constructor": 1}')];
    expect(shown(parse(value, TO_MANY, 'ignore').change)).toStrictEqual(['tag:1']);
    expect(parse(value).issues).toMatchObject([{ path: ['tags', '0'] }]);
  });
});

describe('what is refused, and where', () => {
  it.each<[unknown, string[]]>([
    ...[
      0,
      -1,
      1.5,
      2 ** 53,
      Number.NaN,
      '',
      'abc',
      ' 1',
      '01',
      '1.0',
      '1e3',
      '+1',
      '0x1',
      '9007199254740993',
      true,
    ].map((value): [unknown, string[]] => [value, ['tags']]),
    [[[1]], ['tags.0']],
    [
      [null, 1, {}],
      ['tags.0', 'tags.2'],
    ],
    [[3, '3'], ['tags.1']],
    [{ set: [1, 2, 1, 1] }, ['tags.set.2', 'tags.set.3']],
    [{ connect: [{ id: 1, position: { start: true } }, '1'] }, ['tags.connect.1']],
    [{ set: [1], connect: [2] }, ['tags']],
    [{ set: null, disconnect: null }, ['tags', 'tags.set']],
    [{ set: null }, ['tags.set']],
    [{ set: undefined }, ['tags.set']],
    [{ set: {}, connect: 1 }, ['tags', 'tags.set.0']],
    [{ connect: '', disconnect: { name: 'x' } }, ['tags.connect.0', 'tags.disconnect.0']],
    [{ attach: [1] }, ['tags']],
    [{ data: [{ name: 'x' }] }, ['tags.data.0']],
    [{ data: { attributes: { count: 2 } } }, ['tags']],
    [{ data: { connect: [1] } }, ['tags']],
    [{ data: 1 }, ['tags']],
    [{ data: null, set: [] }, ['tags']],
    [{ id: 1, connect: [2] }, ['tags']],
    [{ id: 1, type: 'api::article.article' }, ['tags']],
    [{ id: 1, type: 'tag', __type: 'article' }, ['tags']],
    [{ id: 1, type: null }, ['tags']],
    [{ set: [{ id: 1, position: { end: true } }] }, ['tags.set.0']],
    [[{ id: 1, position: { end: true } }], ['tags.0']],
    [{ disconnect: [{ id: 1, position: null }, 'x'] }, ['tags.disconnect.0', 'tags.disconnect.1']],
    [{ connect: [{ id: 1, name: 'x' }] }, ['tags.connect.0']],
    [parsedJson('{"connect": [{"id": 1, "__proto__": {"position": {"start": true}}}]}'), ['tags.connect.0']],
    [parsedJson('{"__proto__": [1]}'), ['tags']],
  ])('%j', (value, paths) => {
    const { change, issues } = parse(value);
    expect(change).toBeUndefined();
    expect(issues.map(({ path }) => path.join('.'))).toStrictEqual(paths);
    for (const { message } of issues) expect(message).toMatch(/^tags[.\w]* .{5,}/);
  });

  it.each([
    'start',
    [],
    { at: 1 },
    parsedJson('{"__proto__": true}'),
    { start: false },
    { end: false },
    { start: 'yes' },
    { end: 1 },
    { start: true, end: true },
    { before: 1, after: 2 },
    { before: null },
    { after: {} },
    { before: 0 },
    { before: 7 },
    { after: '7' },
    { after: { id: 2, type: 'article' } },
  ])('the position %j', (position) => {
    const { issues } = parse({ connect: [1, { id: 7, position }] });
    expect(issues.map(({ path }) => path.join('.'))).toStrictEqual(['tags.connect.1']);
    expect(parse({ connect: [{ id: 7, position }] }, TO_MANY, 'ignore').issues).toHaveLength(1);
  });

  it('an entry without a type if there are several types, also as an anchor', () => {
    expect(parse([1], MORPH).issues).toMatchObject([{ path: ['tags', '0'] }]);
    const element = { id: 1, type: 'tag', position: { before: 2 } };
    expect(parse({ connect: [element] }, MORPH).issues).toMatchObject([{ path: ['tags', 'connect', '0'] }]);
  });

  it('only a limited number of issues', () => {
    expect(parse(Array.from({ length: 100_000 }, () => 0)).issues.filter(({ message }) => message !== '')).toHaveLength(
      100,
    );
  });
});

const parseMedia = (value: unknown, many = true) =>
  parseMediaValue({ attribute: { many }, value, path: ['pics'], unknownKeys: 'reject' });

describe('media', () => {
  it('are replaced as a whole: several keep their order, each once; a single one is the first', () => {
    const file = 'plugin::upload.file';
    expect(shown(parseMedia([2, '1', { id: 2, type: file }]).change)).toStrictEqual(['file:2', 'file:1']);
    expect(shown(parseMedia({ set: [2, 1] }, false).change)).toStrictEqual(['file:2']);
    expect(shown(parseMedia('7').change)).toStrictEqual(['file:7']);
    expect(shown(parseMedia(null).change)).toStrictEqual([]);
    expect(parseMedia({})).toStrictEqual({ change: undefined, issues: [] });
  });

  it.each([{ connect: [1] }, { disconnect: [1] }, { connect: null }, { set: [1], connect: [] }])(
    'refuse %j',
    (value) => {
      expect(parseMedia(value)).toMatchObject({ change: undefined, issues: [{ path: ['pics'] }] });
    },
  );
});
