/** The content types of a project, and the routes that are generated for them. */
import { FILE, USER } from '../../strapi/own-names.ts';
import type { Names } from '../names.ts';
import { member, type StrapiProject } from '../strapi-project.ts';
import type { TypeInfo } from './file-context.ts';

export const CORE: ReadonlySet<string> = new Set(['find', 'findOne', 'create', 'update', 'delete']);

export function typesOf({ types }: StrapiProject, names: Names): ReadonlyMap<string, TypeInfo> {
  const own = types.map((type): [string, TypeInfo] => [
    type.uid,
    {
      uid: type.uid,
      name: names.type(type.uid) ?? type.uid,
      plural: names.plural(type.uid),
      isSingle: type.kind === 'singleType',
      hasDrafts: member(type.options, 'draftAndPublish') === true,
    },
  ]);
  const builtIn = (uid: string, name: string): [string, TypeInfo] => [
    uid,
    { uid, name, plural: `${name}s`, isSingle: false, hasDrafts: false },
  ];
  return new Map([
    ...own,
    builtIn(USER, 'user'),
    builtIn(FILE, 'file'),
    builtIn('plugin::users-permissions.role', 'role'),
  ]);
}

/** The method and path of a generated route. */
export function generatedRoute(type: TypeInfo, action: string): readonly [string, string] {
  const base = `/api/${type.isSingle ? type.name : type.plural}`;
  const one = type.isSingle ? base : `${base}/:id`;
  const routes: Readonly<Record<string, readonly [string, string]>> = {
    find: ['get', base],
    findOne: ['get', one],
    create: ['post', base],
    update: ['put', one],
    delete: ['delete', one],
  };
  return routes[action] ?? ['get', base];
}
