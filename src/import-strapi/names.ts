/** The names that types of Strapi get in a schema. */
import { USER } from '#strapi/own-names.ts';
import { kebabCase } from '../model/naming.ts';
import { componentNamePattern, typeNamePattern } from '../schema/name-patterns.ts';
import { type Finding, type StrapiOwner, type StrapiProject, textOf } from './strapi-project.ts';

export interface Names {
  /** The type or built-in type that a uid is here; undefined where it is none. */
  type(uid: string): string | undefined;
  component(uid: string): string | undefined;
}

/** `api::blog.work-item` is `work-item`: its singular name, which is unique within a project. */
function typeName({ uid, info }: StrapiOwner): string {
  const name = textOf(info['singularName']) ?? uid.slice(uid.lastIndexOf('.') + 1);
  return typeNamePattern.test(name) ? name : kebabCase(name).replace(/^[^a-z]+/u, '') || 'type';
}

function componentName({ uid }: StrapiOwner): string {
  if (componentNamePattern.test(uid)) return uid;
  const [category = '', ...rest] = uid.split('.');
  const part = (text: string): string => kebabCase(text).replace(/^[^a-z]+/u, '') || 'part';
  return `${part(category)}.${part(rest.join('-'))}`;
}

/** The names of all types and components of a project; what could not keep its own is found. */
export function namesOf({ types, components }: StrapiProject, find: (finding: Finding) => void): Names {
  const byUid = (
    owners: readonly StrapiOwner[],
    nameOf: (owner: StrapiOwner) => string,
    own: (owner: StrapiOwner) => string,
  ) =>
    new Map(
      owners.map((owner) => {
        const name = nameOf(owner);
        if (name !== own(owner)) {
          const message = `it is called ${name} here: names have letters from a to z, digits and "-"`;
          find({ kind: 'changed', what: owner.uid, message, place: owner.placeOf([]) });
        }
        return [owner.uid, name] as const;
      }),
    );
  const typeNames = byUid(types, typeName, (type) => textOf(type.info['singularName']) ?? typeName(type));
  const componentNames = byUid(components, componentName, ({ uid }) => uid);
  return {
    type: (uid) => (uid === USER ? 'user' : typeNames.get(uid)),
    component: (uid) => componentNames.get(uid),
  };
}
