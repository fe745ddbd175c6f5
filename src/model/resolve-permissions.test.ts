import { expect, it } from 'vitest';
import { readSchema } from '../schema/read-schema.ts';
import { buildContentModel } from './build-content-model.ts';

const TYPES = `
contentTypes:
  article: { draftAndPublish: true, attributes: { title: { type: string } } }
  home: { kind: singleType, draftAndPublish: true, attributes: { title: { type: string } } }
  tag: { attributes: { name: { type: string } } }
`;

function rolesOf(permissions: string, types = TYPES) {
  const { value: schema } = readSchema([{ file: 'schema.yaml', text: `${types}permissions:\n${permissions}` }]);
  const { value, diagnostics } = buildContentModel(schema ?? expect.fail('no schema'));
  const roles = Object.fromEntries((value?.roles ?? []).map(({ role, permissions: given }) => [role, given]));
  return { roles, codes: diagnostics.map(({ code, severity, message }) => `${severity} ${code}: ${message}`) };
}

it("S10: `preview` is part of '*' and of nothing else, for types that have drafts", () => {
  const { roles, codes } = rolesOf(`
  public: { article: [find] }
  authenticated: { extends: public, article: [create, preview], tag: '*' }
  editor: { '*': '*' }
  writer: { '*': [find, preview] }`);
  const previews = (role: string) => roles[role]?.filter((name) => name.endsWith('.preview'));
  expect(previews('public')).toEqual([]);
  expect(previews('authenticated')).toEqual(['article.preview']);
  expect(previews('editor')).toEqual(['article.preview', 'home.preview']);
  expect(previews('writer')).toEqual(['article.preview', 'home.preview']);
  expect(codes).toEqual([]);
});

it('N17: a role has what the roles have that it extends, however they are written', () => {
  const { roles, codes } = rolesOf(`
  chief: { extends: editor }
  editor: { extends: authenticated, tag: [create] }
  authenticated: { extends: public }
  public: { tag: [find] }`);
  expect(roles).toEqual({
    public: ['tag.find'],
    authenticated: ['tag.find', 'users.me'],
    chief: ['tag.create', 'tag.find', 'users.me'],
    editor: ['tag.create', 'tag.find', 'users.me'],
  });
  expect(codes).toEqual([]);
  expect(rolesOf('  editor: { extends: authenticated }').roles['editor']).toEqual(['users.me']);
});

it("says that everything, '*', includes no files, where there are any", () => {
  const withMedia = TYPES.replace('tag: { attributes: {', 'tag: { attributes: { icon: { type: media },');
  const hint =
    "info permission/no-files: `editor` may do everything with all content types, but nothing with files: they are not among those of `'*'`";
  const permissions = `
  editor: { '*': '*' }
  chief: { extends: editor, upload: [upload] }
  admin: { '*': '*', upload: '*' }`;
  expect(rolesOf(permissions, withMedia).codes).toEqual([hint]);
  expect(rolesOf(permissions).codes).toEqual([]);
});

it('N17: says where visitors may do what signed-in users may not', () => {
  const permissions = "  public: { tag: '*', home: [find] }\n  authenticated: { home: [find] }";
  expect(rolesOf(permissions).codes).toEqual([
    'info permission/visitors-may-more: visitors have permissions that signed-in users lack: tag.create, tag.delete, tag.find, tag.findOne, tag.update',
  ]);
});

/** The rules of the roles, and the problems. Each text is a file: a role of several files may extend several roles. */
function rulesOf(...files: readonly string[]) {
  const sources = files.map((permissions, index) => ({
    file: `${index}.yaml`,
    text: `${index === 0 ? TYPES : ''}permissions:\n${permissions}`,
  }));
  const { value: schema } = readSchema(sources);
  const { value, diagnostics } = buildContentModel(schema ?? expect.fail('no schema'));
  const rules = Object.fromEntries((value?.roles ?? []).map(({ role, rules: given }) => [role, given]));
  const roles = Object.fromEntries((value?.roles ?? []).map(({ role, permissions }) => [role, permissions]));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { rules, roles, errors: errors.map(({ message, location }) => `${location?.line}: ${message}`) };
}

it('a role inherits rules, and replaces them one by one, with a rule or without', () => {
  const { rules, roles, errors } = rulesOf(`
  public: { tag: [find: { where: { name: a } }, findOne: { where: { name: a } }, update: { where: { name: a } }] }
  authenticated: { extends: public, tag: [find, findOne: { where: { name: b } }, link: { where: { name: c } }] }
  chief: { extends: authenticated, tag: [link: { where: { name: d } }] }`);
  expect(errors).toEqual([]);
  const inherited = { 'tag.findOne': { where: { name: 'b' } }, 'tag.update': { where: { name: 'a' } } };
  expect(rules['authenticated']).toEqual({ ...inherited, 'tag.link': { where: { name: 'c' } } });
  expect(rules['chief']).toEqual({ ...inherited, 'tag.link': { where: { name: 'd' } } });
  expect(roles['authenticated']).toContain('tag.find');
  expect(roles['chief']).toContain('tag.link');
});

it("what is given for a type replaces what '*' gives, wherever it is written", () => {
  const { rules, errors } = rulesOf(`
  one: { tag: [find: { where: { name: a } }], '*': '*' }
  other: { '*': [find: { where: { createdAt: { $lt: $now } } }, link: { where: { id: 1 } }], tag: [find] }`);
  expect(errors).toEqual([]);
  expect(rules['one']).toEqual({ 'tag.find': { where: { name: 'a' } } });
  const [find, link] = [{ where: { createdAt: { $lt: '$now' } } }, { where: { id: 1 } }];
  expect(rules['other']).toEqual({
    'article.find': find,
    'article.link': link,
    'home.find': find,
    'home.link': link,
    'tag.link': link,
  });
});

it('roles with different rules for one action never combine silently', () => {
  const bases = `
  one: { tag: [find: { where: { name: a } }, delete: { where: { name: a } }, update: { where: { name: a } }] }
  two: { tag: [find, delete: { where: { name: b } }, update: { where: { name: a } }] }`;
  const [first, second] = ['  both: { extends: one }\n  above: { extends: both }', '  both: { extends: two }'];
  expect(rulesOf(`${bases}\n${first}`, second).errors).toEqual([
    '10: `both` inherits `tag.delete` with different rules',
    '10: `both` inherits `tag.find` with different rules',
  ]);
  const stated = '  both: { extends: two, tag: [find, delete: { where: { name: a } }] }';
  const { rules, errors } = rulesOf(`${bases}\n${first}`, stated);
  expect(errors).toEqual([]);
  const ofA = { where: { name: 'a' } };
  const expected = { 'tag.delete': ofA, 'tag.update': ofA };
  expect([rules['both'], rules['above']]).toEqual([expected, expected]);
});
