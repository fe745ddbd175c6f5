/** What responses need to know of the types: `model.ts` of the extensions. */
import { FILE, USER } from '../../strapi/own-names.ts';
import type { Names } from '../names.ts';
import { type StrapiOwner, type StrapiProject, textOf } from '../strapi-project.ts';

interface Described {
  readonly private: readonly string[];
  readonly relations: Readonly<Record<string, string>>;
  readonly components: Readonly<Record<string, string>>;
}

const OF_USERS: Described = {
  private: ['password', 'resetPasswordToken', 'confirmationToken'],
  relations: { role: 'role' },
  components: {},
};

function described({ uid, attributes }: StrapiOwner, names: Names): Described {
  const [relations, components]: Record<string, string>[] = [{}, {}];
  const hidden: string[] = [];
  for (const [name, given] of attributes) {
    const own = names.attribute(uid, name) ?? name;
    if (given['private'] === true || given['type'] === 'password') hidden.push(own);
    const target = textOf(given['target']);
    if (given['type'] === 'media' && relations) relations[own] = 'file';
    if (target && relations) relations[own] = names.type(target) ?? 'file';
    const component = textOf(given['component']);
    if (component && components) components[own] = names.component(component) ?? component;
    if (given['type'] === 'dynamiczone' && components) components[own] = '';
  }
  return { private: hidden, relations: relations ?? {}, components: components ?? {} };
}

export function modelText({ types, components, user, major }: StrapiProject, names: Names): string {
  const model: Record<string, Described> = {};
  for (const type of types) model[names.type(type.uid) ?? type.uid] = described(type, names);
  for (const component of components) {
    model[names.component(component.uid) ?? component.uid] = described(component, names);
  }
  const uids: Record<string, string> = { [USER]: 'user', [FILE]: 'file', 'plugin::users-permissions.role': 'role' };
  for (const { uid } of types) uids[uid] = names.type(uid) ?? uid;
  const own = user && described(user, names);
  model['user'] = {
    private: [...OF_USERS.private, ...(own?.private ?? [])],
    relations: { ...OF_USERS.relations, ...own?.relations },
    components: { ...own?.components },
  };
  return `/** The types, as far as responses depend on them. */
interface Described {
  readonly private: readonly string[];
  /** Relations and media: attribute → type. */
  readonly relations: Readonly<Record<string, string>>;
  /** Attribute → component; empty for dynamic zones. */
  readonly components: Readonly<Record<string, string>>;
}

export const model: Readonly<Record<string, Described>> = ${JSON.stringify(model, null, 2)};

/** The format of responses. */
export const format: 'v4' | 'v5' = '${major === 5 ? 'v5' : 'v4'}';

/** The names of the types by their uids in Strapi. */
export const names: Readonly<Record<string, string>> = ${JSON.stringify(uids, null, 2)};
`;
}
