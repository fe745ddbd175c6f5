/** What converting an attribute needs to know of the rest of the project. */
import type { Options } from './draft.ts';
import type { Names } from './names.ts';
import type { Finding, Members, StrapiOwner, StrapiProject } from './strapi-project.ts';

export interface ConvertContext {
  readonly project: StrapiProject;
  readonly names: Names;
  /** Types, and users, by the uid of Strapi. */
  readonly owners: ReadonlyMap<string, StrapiOwner>;
  readonly find: (finding: Finding) => void;
}

/** What an attribute has become; undefined where it has no equal. */
export interface Conversion {
  readonly options: Options;
  readonly comments: readonly string[];
}

/** An attribute on its way. */
export interface Subject {
  readonly owner: StrapiOwner;
  readonly ownerKind: 'type' | 'component' | 'user';
  /** What the owner is called here. */
  readonly ownerName: string;
  readonly name: string;
  readonly given: Members;
}

/** A finding about an attribute. */
export function about({ owner, ownerName, name }: Subject, kind: Finding['kind'], message: string): Finding {
  return { kind, what: `${ownerName}.${name}`, message, place: owner.placeOf(['attributes', name]) };
}
