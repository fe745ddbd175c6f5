/** The schema names of Strapi types. */
import { componentName, insteadOf, typeName } from '#strapi/names.ts';
import { USER } from '#strapi/own-names.ts';
import { typeNameTaken } from '../model/reserved-names.ts';
import { type Finding, type StrapiOwner, type StrapiProject, textOf } from './strapi-project.ts';

export interface Names {
  /** The content type or built-in type for a Strapi uid; undefined if there is none. */
  type(uid: string): string | undefined;
  component(uid: string): string | undefined;
}

function freeTypeName({ uid, info }: StrapiOwner): string {
  const name = typeName(uid, info['singularName']);
  return typeNameTaken(name) === undefined ? name : insteadOf(name);
}

/** The names of all types and components of a project. Renames are reported as findings. */
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
          const why = 'its name is already used, or has characters other than a to z, digits and "-"';
          const message = `renamed to ${name}: ${why}. Keep this name until its content is imported`;
          find({ kind: 'changed', what: owner.uid, message, place: owner.locationOf([]) });
        }
        return [owner.uid, name] as const;
      }),
    );
  const singular = ({ uid, info }: StrapiOwner): string =>
    textOf(info['singularName']) ?? uid.slice(uid.lastIndexOf('.') + 1);
  const typeNames = byUid(types, freeTypeName, singular);
  const componentNames = byUid(
    components,
    ({ uid }) => componentName(uid),
    ({ uid }) => uid,
  );
  return {
    type: (uid) => (uid === USER ? 'user' : typeNames.get(uid)),
    component: (uid) => componentNames.get(uid),
  };
}
