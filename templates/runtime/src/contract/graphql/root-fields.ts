/** The fields of Query and Mutation for the content types of the schema. */
import type { ContentType } from '../content-type.ts';
import { listArguments } from './entry-types.ts';
import type { Argument, Field, RootMeaning } from './model.ts';
import { manyName, oneName, pascal, typeName } from './naming.ts';
import { type GraphqlScope, ownTypes } from './scope.ts';

const LOCALE: Argument = { name: 'locale', type: 'I18NLocaleCode' };
const STATUS: Argument = { name: 'status', type: 'PublicationStatus', default: 'PUBLISHED' };

/** The arguments that select drafts. */
export function statusArguments({ format }: GraphqlScope, { draftAndPublish }: ContentType): readonly Argument[] {
  if (format === 'v4') {
    return draftAndPublish ? [{ name: 'publicationState', type: 'PublicationState', default: 'LIVE' }] : [];
  }
  return [
    STATUS,
    { name: 'hasPublishedVersion', type: 'Boolean' },
    { name: 'publicationFilter', type: 'PublicationFilter' },
  ];
}

function localeArguments({ localized }: ContentType): readonly Argument[] {
  return localized ? [LOCALE] : [];
}

function field(name: string, type: string, args: readonly Argument[], means: RootMeaning): Field {
  return args.length === 0 ? { name, type, means } : { name, type, args, means };
}

/** The fields that read entries of a collection type. */
export function collectionQueries(
  scope: GraphqlScope,
  type: ContentType,
  means: (read: 'one' | 'many' | 'connection') => RootMeaning,
): readonly Field[] {
  const { format } = scope;
  const of = typeName(type.uid);
  const locale = localeArguments(type);
  const list = [...listArguments(of), ...statusArguments(scope, type), ...locale];
  const many = manyName(type);
  if (format === 'v4') {
    // An entry by its id is shown as a list shows it: only if it is published.
    return [
      field(oneName(type.uid), `${of}EntityResponse`, [{ name: 'id', type: 'ID' }, ...locale], means('one')),
      field(many, `${of}EntityResponseCollection`, list, means('connection')),
    ];
  }
  const id: Argument = { name: 'documentId', type: 'ID!' };
  return [
    field(oneName(type.uid), of, [id, ...statusArguments(scope, type), ...locale], means('one')),
    field(`${many}_connection`, `${of}EntityResponseCollection`, list, means('connection')),
    field(many, `[${of}]`, list, means('many')),
  ];
}

function queriesOf(scope: GraphqlScope, type: ContentType): readonly Field[] {
  const { uid } = type;
  if (type.kind === 'collectionType') {
    return collectionQueries(scope, type, (read) => ({ is: 'read', read, uid }));
  }
  const of = scope.format === 'v4' ? `${typeName(uid)}EntityResponse` : typeName(uid);
  const args = [...statusArguments(scope, type), ...localeArguments(type)];
  return [field(oneName(uid), of, args, { is: 'read', read: 'single', uid })];
}

function mutationsOf({ format }: GraphqlScope, type: ContentType): readonly Field[] {
  const { uid } = type;
  const of = typeName(uid);
  const isV4 = format === 'v4';
  const answer = isV4 ? `${of}EntityResponse` : of;
  const locale = localeArguments(type);
  const id: readonly Argument[] = type.kind === 'singleType' ? [] : [{ name: isV4 ? 'id' : 'documentId', type: 'ID!' }];
  const data: Argument = { name: 'data', type: `${of}Input!` };
  const status = isV4 ? [] : [STATUS];
  const means = (write: 'create' | 'update' | 'delete' | 'localize') => ({ is: 'write', write, uid }) as const;
  const name = pascal(uid);
  const localize = field(
    `create${name}Localization`,
    answer,
    [{ name: 'id', type: 'ID' }, { name: 'data', type: `${of}Input` }, LOCALE],
    means('localize'),
  );
  return [
    ...(type.kind === 'collectionType'
      ? [field(`create${name}`, answer, [...status, data, ...locale], means('create'))]
      : []),
    field(`update${name}`, answer, [...id, ...status, data, ...locale], means('update')),
    field(`delete${name}`, isV4 ? answer : 'DeleteMutationResponse', [...id, ...locale], means('delete')),
    ...(isV4 && type.localized ? [localize] : []),
  ];
}

export function entryQueries(scope: GraphqlScope): readonly Field[] {
  return ownTypes(scope).flatMap((type) => queriesOf(scope, type));
}

export function entryMutations(scope: GraphqlScope): readonly Field[] {
  return ownTypes(scope).flatMap((type) => mutationsOf(scope, type));
}
