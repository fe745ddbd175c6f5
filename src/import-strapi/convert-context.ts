/** The project-wide information needed to convert an attribute. */
import type { Options } from './draft.ts';
import type { Names } from './names.ts';
import type { Settled } from './pair-relations.ts';
import type { Finding, Members, StrapiOwner, StrapiProject } from './strapi-project.ts';

export interface ConvertContext {
  readonly project: StrapiProject;
  readonly names: Names;
  /** Content types, components and the user type, by Strapi uid. */
  readonly owners: ReadonlyMap<string, StrapiOwner>;
  /** What the relations of content types and users become, by `uid.attribute`. */
  readonly relations: ReadonlyMap<string, Settled>;
  readonly find: (finding: Finding) => void;
}

/** A converted attribute; `undefined` in its place if there is no equivalent. */
export interface Conversion {
  readonly options: Options;
  readonly comments: readonly string[];
}

/** An attribute being converted. */
export interface Subject {
  readonly owner: StrapiOwner;
  readonly ownerKind: 'type' | 'component' | 'user';
  /** The name of the owner in the schema. */
  readonly ownerName: string;
  readonly name: string;
  readonly given: Members;
}

/** A finding about an attribute. */
export function findingAbout({ owner, ownerName, name }: Subject, kind: Finding['kind'], message: string): Finding {
  return { kind, what: `${ownerName}.${name}`, message, place: owner.locationOf(['attributes', name]) };
}
