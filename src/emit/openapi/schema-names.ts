/** Names and references of the schemas in openapi.json. */
import { BUILT_IN } from '#contract/routes/built-in.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { lookUp } from '../model-index.ts';
import { COMMON_SCHEMAS } from './common-schemas.ts';

/** A content type's or component's schemas: as it is answered, and as it is sent. A component has one for both requests. */
export interface SchemaNames {
  readonly output: string;
  readonly create: string;
  readonly update: string;
}

/** Names of schemas by uid of the type or component. */
export type NamesByUid = ReadonlyMap<string, SchemaNames>;

/** Schemas that belong to no type, whether or not a server has what they are for. */
const COMMON_NAMES = [COMMON_SCHEMAS, ...BUILT_IN.map(({ schemas }) => schemas)].flatMap((schemas) =>
  Object.keys(schemas),
);

/** Gives each schema a name of its own; `_` is added to one that is taken. */
export function schemaNames(model: Pick<ContentModel, 'contentTypes' | 'components'>): NamesByUid {
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
