/** Names and references of the schemas in openapi.json. */
import type { ContentModel } from '../../model/content-model.ts';
import type { Json } from '../json.ts';
import { lookUp } from '../model-index.ts';

export type JsonObject = { readonly [key: string]: Json | undefined };

/** A content type's or component's schemas: as it is answered, and as it is sent. A component has one for both requests. */
export interface SchemaNames {
  readonly output: string;
  readonly create: string;
  readonly update: string;
}

/** Names of schemas by uid of the type or component. */
export type NamesByUid = ReadonlyMap<string, SchemaNames>;

/** Schemas that belong to no type. */
const COMMON_NAMES =
  'ErrorAnswer RelationInput Locales Pagination Account AccountInput Session RoleInput ApiToken UploadedFile'.split(
    ' ',
  );

export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Gives each schema a name of its own; `_` is added to one that is taken. */
export function schemaNames(model: ContentModel): NamesByUid {
  const taken = new Set<string>(COMMON_NAMES);
  const unique = (wanted: string): string => {
    let name = wanted;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
  const names = new Map<string, SchemaNames>();
  for (const { uid, names: own } of model.contentTypes) {
    names.set(uid, {
      output: unique(own.pascal),
      create: unique(`${own.pascal}Create`),
      update: unique(`${own.pascal}Update`),
    });
  }
  for (const { uid, names: own } of model.components) {
    const input = unique(`${own.pascal}Input`);
    names.set(uid, { output: unique(own.pascal), create: input, update: input });
  }
  return names;
}

export function namesOf(names: NamesByUid, uid: string): SchemaNames {
  return lookUp(names, uid);
}
