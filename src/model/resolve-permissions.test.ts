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
