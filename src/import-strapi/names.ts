/** The schema names of Strapi's types, components and attributes. */
import { isReservedRoute } from '#contract/routes/built-in.ts';
import { attributeNames, componentNames, insteadOfAttribute, typeNames } from '../strapi/names.ts';
import { USER } from '../strapi/own-names.ts';
import { codeNames, pluralOf, snakeCase } from '../model/naming.ts';
import { typeNamePattern } from '../schema/name-patterns.ts';
import { attributeNameTaken, componentNameTaken, typeNameTaken, userAttributeTaken } from '../model/reserved-names.ts';
import {
  type Finding,
  type Members,
  type StrapiOwner,
  type StrapiProject,
  type StrapiType,
  textOf,
} from './strapi-project.ts';

export interface Names {
  /** The content type or built-in type for a Strapi uid; undefined if there is none. */
  type(uid: string): string | undefined;
  component(uid: string): string | undefined;
  /** The plural of a content type, which is its path. */
  plural(uid: string): string;
  /** The attribute of the type or component with this uid; undefined if it has none. */
  attribute(uid: string, name: string): string | undefined;
}

type Find = (finding: Finding) => void;

const KEEP = 'Keep this name until its content is imported';

interface Naming<Owner extends StrapiOwner> {
  readonly ownName: (owner: Owner) => string;
  /** In order of preference. */
  readonly possible: (owner: Owner) => readonly string[];
  readonly isReserved: (name: string, owner: Owner) => boolean;
  /** Names of types and components, in the schema and in generated code. */
  readonly taken: Set<string>;
  readonly find: Find;
}

/** Gives each owner the first of its possible names that is free. Renames are reported as findings. */
function nameOwners<Owner extends StrapiOwner>(
  owners: readonly Owner[],
  { ownName, possible, isReserved, taken, find }: Naming<Owner>,
): ReadonlyMap<string, string> {
  return new Map(
    owners.map((owner) => {
      const names = possible(owner);
      const isFree = (one: string): boolean =>
        !isReserved(one, owner) && !taken.has(one) && !taken.has(codeNames(one).pascal);
      const name = names.find(isFree) ?? names[0] ?? owner.uid;
      taken.add(name).add(codeNames(name).pascal);
      if (name !== ownName(owner)) {
        const why = 'its name is already used, or has characters other than a to z, digits and "-"';
        find({
          kind: 'changed',
          what: owner.uid,
          message: `renamed to ${name}: ${why}. ${KEEP}`,
          place: owner.locationOf([]),
        });
      }
      return [owner.uid, name] as const;
    }),
  );
}

function singularName({ uid, info }: StrapiOwner): string {
  return textOf(info['singularName']) ?? uid.slice(uid.lastIndexOf('.') + 1);
}

/** The schema of an import enables none that reserves paths. */
const NO_FEATURES: ReadonlySet<string> = new Set();

function isReservedType(name: string, { kind }: StrapiType): boolean {
  return typeNameTaken(name) !== undefined || (kind === 'singleType' && isReservedRoute(kind, name, NO_FEATURES));
}

/** The plurals of the types: as declared, unless that is reserved or the name of another type. */
function namePlurals(
  types: readonly StrapiType[],
  names: ReadonlyMap<string, string>,
  find: Find,
): ReadonlyMap<string, string> {
  const taken = new Set(names.values());
  return new Map(
    types.map((type) => {
      const name = names.get(type.uid) ?? type.uid;
      const written = textOf(type.info['pluralName']);
      const own = written !== undefined && typeNamePattern.test(written) ? written : pluralOf(name);
      const isSingle = type.kind === 'singleType';
      const isFree = (one: string): boolean =>
        !taken.has(one) && (isSingle || !isReservedRoute('collectionType', one, NO_FEATURES));
      const plural = [own, pluralOf(name), `content-${own}`, `${name}-list`].find(isFree) ?? `${name}-list`;
      taken.add(plural);
      if (plural !== (written ?? own)) {
        const message = `its path is /api/${plural}, because ${written ?? own} is already used or not valid`;
        if (!isSingle) find({ kind: 'changed', what: name, message, place: type.locationOf(['info', 'pluralName']) });
      }
      return [type.uid, plural] as const;
    }),
  );
}

/** The columns that an attribute may take in the table of its type. */
function columnsOf(name: string, given: Members): readonly string[] {
  const column = snakeCase(name);
  if (given['type'] === 'media') return given['multiple'] === true ? [] : [`${column}_id`];
  if (given['type'] !== 'relation') return [column];
  return /ToOne$|^oneWay$/u.test(String(given['relation'])) ? [`${column}_id`, `${column}_position`] : [];
}

interface OwnerScope {
  readonly isTaken: (name: string) => string | undefined;
  /** Whether its attributes have columns of their own. */
  readonly hasColumns: boolean;
}

/** The names of the attributes of one owner. Of two whose columns would have the same name, the first keeps its own. */
function nameAttributes(
  owner: StrapiOwner,
  { isTaken, hasColumns }: OwnerScope,
  find: Find,
): ReadonlyMap<string, string> {
  const columns = new Set<string>();
  const own = [...owner.attributes];
  return new Map(
    [...attributeNames(own.map(([name]) => name))].map(([name, plain]) => {
      const given = owner.attributes.get(name) ?? {};
      const isFree = (one: string): boolean =>
        isTaken(one) === undefined && !(hasColumns && columnsOf(one, given).some((column) => columns.has(column)));
      const free = isFree(plain) ? plain : insteadOfAttribute(plain);
      if (hasColumns) for (const column of columnsOf(free, given)) columns.add(column);
      if (free !== name) {
        const why =
          isTaken(plain) ??
          (plain === name
            ? 'its column would have the name of another'
            : 'names of attributes have only ASCII letters, digits and "_"');
        const message = `renamed to ${free}: ${why}. ${KEEP}`;
        find({ kind: 'changed', what: `${owner.uid}.${name}`, message, place: owner.locationOf(['attributes', name]) });
      }
      return [name, free] as const;
    }),
  );
}

/** The names of everything in a project. Renames are reported as findings. */
export function namesOf({ types, components, user, major }: StrapiProject, find: Find): Names {
  const taken = new Set<string>();
  const typesByUid = nameOwners(types, {
    ownName: singularName,
    possible: ({ uid, info }) => typeNames(uid, info['singularName']),
    isReserved: isReservedType,
    taken,
    find,
  });
  const componentsByUid = nameOwners(components, {
    ownName: ({ uid }) => uid,
    possible: ({ uid }) => componentNames(uid),
    isReserved: (name) => componentNameTaken(name) !== undefined,
    taken,
    find,
  });
  const plurals = namePlurals(types, typesByUid, find);
  const format = major === 5 ? 'v5' : 'v4';
  const scopes = [
    ...types.map(
      (owner) => [owner, { isTaken: (name: string) => attributeNameTaken(name, format), hasColumns: true }] as const,
    ),
    ...components.map(
      (owner) =>
        [owner, { isTaken: (name: string) => attributeNameTaken(name, 'component'), hasColumns: false }] as const,
    ),
    ...(user
      ? [[user, { isTaken: (name: string) => userAttributeTaken(name, format), hasColumns: true }] as const]
      : []),
  ];
  const attributes = new Map(scopes.map(([owner, scope]) => [owner.uid, nameAttributes(owner, scope, find)]));
  return {
    type: (uid) => (uid === USER ? 'user' : typesByUid.get(uid)),
    component: (uid) => componentsByUid.get(uid),
    plural: (uid) => plurals.get(uid) ?? uid,
    attribute: (uid, name) => attributes.get(uid)?.get(name),
  };
}
