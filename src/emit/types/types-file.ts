/** The types of all content types and components, for the server's code and for the client. */
import { isDeepStrictEqual } from 'node:util';
import type { Component, ContentModel, ContentType } from '../../model/content-model.ts';
import { customUserAttributes } from '../../model/built-in-types.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { docText } from '../escape.ts';
import { CLIENT_TYPES, type Home, importPath, SERVER_TYPES } from '../generated-paths.ts';
import { headerLine } from '../header.ts';
import { tsModuleFile } from '../managed-file.ts';
import { draftComponents } from '../model-index.ts';
import type { TsDeclaration, TsModule, TsProperty } from '../ts-module.ts';
import { inputProperties, isServerOnly, serverOnlyProperties, systemInputProperties } from './input-properties.ts';
import {
  docOf,
  documentProperties,
  populatedProperties,
  privateAttributes,
  scalarProperties,
  systemProperties,
} from './output-properties.ts';
import { createTypeScope, type DeclaredNames, typeNames, type TypeNames, type TypeScope } from './type-scope.ts';

/** Response types are readonly. */
function responseType(name: string, doc: string, properties: readonly TsProperty[]): TsDeclaration {
  return { kind: 'interface', name, doc, readonly: true, properties };
}

/** Request types are mutable: hooks may change them. */
function requestType(name: string, doc: string, properties: readonly TsProperty[]): TsDeclaration {
  return { kind: 'interface', name, doc, readonly: false, properties };
}

function describe(
  thing: string,
  { displayName, description }: { displayName: string | undefined; description: string | undefined },
): string {
  return [thing, docText(displayName ?? ''), docText(description ?? '')].filter((line) => line !== '').join('\n');
}

/** `locales` is empty unless the type is localized. */
interface TypeInput {
  readonly type: ContentType;
  readonly home: Home;
  readonly locales: readonly string[];
}

/** Doc comment of the type from which the v5 client infers what a query can request. */
const MODEL = 'The attributes and relations that a query can select; `Result` is the type of what it returns.';

/** The response types: attributes, entry, relations, populated entry. */
function responseDeclarations(
  { type, home, locales }: TypeInput,
  names: DeclaredNames,
  scope: TypeScope,
): TsDeclaration[] {
  const relations = populatedProperties(type.attributes, scope);
  const entry = scope.runtime(home === 'server' && type.documentIds ? 'DocumentEntry' : 'Entry');
  if (type.localized) {
    const others = `${scope.runtime('ToMany')}<${names.populated}>`;
    relations.push({ key: 'localizations', type: others, optional: true });
  }
  const attributes = [
    ...documentProperties(type, home),
    ...scalarProperties(type.attributes, !type.draftAndPublish),
    ...systemProperties(type, home, locales),
  ];
  const ownForm = home === 'documents' ? scope.runtime('Document') : entry;
  const declarations: TsDeclaration[] = [
    responseType(names.attributes, describe(`The attributes of \`${type.uid}\` in a response.`, type), attributes),
    { kind: 'alias', name: names.entry, type: `${ownForm}<${names.attributes}>` },
  ];
  const about = home === 'documents' ? { doc: MODEL } : {};
  if (relations.length === 0) {
    const same = home === 'documents' ? `${entry}<${names.attributes}>` : names.entry;
    declarations.push({ kind: 'alias', name: names.populated, ...about, type: same });
    return declarations;
  }
  declarations.push(responseType(names.relations, 'Present if a request populates them.', relations), {
    kind: 'alias',
    name: names.populated,
    ...about,
    type: `${entry}<${names.attributes} & ${names.relations}>`,
  });
  return declarations;
}

/** The type of list queries. */
function queryDeclaration(home: Home, names: DeclaredNames, scope: TypeScope): TsDeclaration {
  return {
    kind: 'alias',
    name: names.query,
    doc: 'Filters, sorting and pagination of a list.',
    type: `${scope.runtime(home === 'documents' ? 'DocumentQuery' : 'ListQuery')}<${names.populated}['attributes']>`,
  };
}

function isOptional({ optional }: TsProperty): boolean {
  return optional;
}

/**
 * The type of updates in terms of that of new entries, from which it differs only in that everything may be omitted, and in what
 * an update can't choose: `locale`. Undefined if it differs in more, or if the schema has a type with the name of a type of
 * TypeScript's.
 */
function updateAsPartial(
  create: readonly TsProperty[],
  update: readonly TsProperty[],
  { names, createName }: { readonly names: TypeNames; readonly createName: string },
): string | undefined {
  const lasting = create.filter(({ key }) => key !== 'locale' || update.some((property) => property.key === key));
  const optional = lasting.map((property) => ({ ...property, optional: true }));
  if (!isDeepStrictEqual(optional, update) || names.all.some((name) => name === 'Partial' || name === 'Omit')) {
    return undefined;
  }
  const base = lasting.length === create.length ? createName : `Omit<${createName}, 'locale'>`;
  return lasting.every(isOptional) ? base : `Partial<${base}>`;
}

/** The request types. A single type has no `create`: the first update creates it. */
function inputDeclarations(
  { type, home, locales }: TypeInput,
  names: DeclaredNames,
  { scope, all }: { readonly scope: TypeScope; readonly all: TypeNames },
): TsDeclaration[] {
  const drafts = type.draftAndPublish;
  const system = (operation: 'create' | 'update') =>
    home === 'documents' ? [] : systemInputProperties(type, operation, locales);
  const create = [
    ...inputProperties(type.attributes, scope, { complete: !drafts, nullable: drafts }),
    ...system('create'),
  ];
  const update = [
    ...inputProperties(type.attributes, scope, { complete: false, nullable: drafts }),
    ...system('update'),
  ];
  const updateDoc = 'The `data` of an update; omitted attributes stay unchanged.';
  const partial = updateAsPartial(create, update, { names: all, createName: names.create });
  return [
    requestType(names.create, 'The `data` of a new entry.', create),
    partial === undefined
      ? requestType(names.update, updateDoc, update)
      : { kind: 'alias', name: names.update, doc: updateDoc, type: partial },
  ];
}

/** The attributes that hooks can set, but requests can't; none if there are no such attributes. */
function serverOnlyDeclarations(type: ContentType, names: DeclaredNames, scope: TypeScope): TsDeclaration[] {
  const properties = type.builtIn ? [] : serverOnlyProperties(type.attributes, scope);
  if (properties.length === 0) return [];
  return [requestType(names.serverOnly, 'Attributes that only hooks and the server can set.', properties)];
}

/** The attributes that only the server's own code reads; none if there are no such attributes. */
function privateDeclarations(type: ContentType, names: DeclaredNames, scope: TypeScope): TsDeclaration[] {
  const attributes = privateAttributes(type).map((attribute) => ({ ...attribute, private: false }));
  if (attributes.length === 0) return [];
  const properties = [
    ...scalarProperties(attributes, !type.draftAndPublish),
    ...populatedProperties(attributes, scope),
  ];
  const own = `${scope.runtime('OwnEntry')}<${scope.populated(type.uid)}, ${names.private}>`;
  return [
    responseType(names.private, "Attributes that only the server's own code reads.", properties),
    { kind: 'alias', name: names.own, type: own },
  ];
}

/** The attributes that the schema adds to users, in requests. */
function extensionDeclarations(type: ContentType, names: DeclaredNames, scope: TypeScope): TsDeclaration[] {
  const rules = { complete: false, nullable: false };
  const further = customUserAttributes(type);
  const registered = further.filter(({ name }) => type.register.includes(name));
  if (further.length === 0) return [];
  return [
    requestType(
      names.extension,
      'The attributes that the schema adds to users.',
      inputProperties(further, scope, rules),
    ),
    ...(registered.length === 0
      ? []
      : [
          requestType(
            names.registration,
            'The attributes that can be set at registration.',
            inputProperties(registered, scope, { ...rules, complete: true }),
          ),
        ]),
  ];
}

/** What only the server's own code reads or sets. */
function ownDeclarations(type: ContentType, names: DeclaredNames, scope: TypeScope): TsDeclaration[] {
  return [...privateDeclarations(type, names, scope), ...serverOnlyDeclarations(type, names, scope)];
}

interface TypesInput extends Pick<ContentModel, 'contentTypes' | 'components' | 'locales'> {
  readonly home: Home;
  /** The components that drafts, which may lack required values, can contain. */
  readonly inDrafts: readonly string[];
}

function typeDeclarations(input: TypeInput, all: TypeNames, scope: TypeScope): TsDeclaration[] {
  const { type, home } = input;
  const names = all.type(type.uid);
  return [
    ...responseDeclarations(input, names, scope),
    ...(type.builtIn || type.kind === 'singleType' ? [] : [queryDeclaration(home, names, scope)]),
    ...(type.builtIn ? extensionDeclarations(type, names, scope) : inputDeclarations(input, names, { scope, all })),
    ...(home === 'server' ? ownDeclarations(type, names, scope) : []),
  ];
}

function componentDeclarations(
  { uid, attributes, ...rest }: Component,
  { names, scope, inDrafts }: { readonly names: TypeNames; readonly scope: TypeScope; readonly inDrafts: boolean },
): TsDeclaration[] {
  const { output, input } = names.component(uid);
  const id: TsProperty = { key: 'id', type: 'number', optional: false };
  const inputId: TsProperty = {
    key: 'id',
    type: scope.runtime('EntryId'),
    optional: true,
    ...docOf('The id of an existing item, to update it in place.'),
  };
  return [
    responseType(output, describe(`An item of \`${uid}\` in a response.`, rest), [
      id,
      ...scalarProperties(attributes, !inDrafts),
      ...populatedProperties(attributes, scope),
    ]),
    requestType(input, 'An item in a request.', [
      inputId,
      ...inputProperties(attributes, scope, { complete: false, nullable: false }),
    ]),
  ];
}

const HEADER = headerLine('the schema');

/** The package or file with the types that all projects share. */
const LIBRARIES: Readonly<Record<Home, string>> = {
  server: '@content-gen/runtime',
  client: './lib/client.js',
  documents: './lib/client.js',
};

function typesModule({ contentTypes, components, locales, home, inDrafts }: TypesInput): TsModule {
  const names = typeNames({ contentTypes, components });
  const scope = createTypeScope({ home, names, declared: names.all, library: LIBRARIES[home] });
  const declarations = [
    ...contentTypes.flatMap((type) =>
      typeDeclarations({ type, home, locales: type.localized ? locales : [] }, names, scope),
    ),
    ...components.flatMap((component) =>
      componentDeclarations(component, { names, scope, inDrafts: inDrafts.includes(component.uid) }),
    ),
  ];
  return { header: HEADER, imports: scope.imports.list(true), declarations };
}

/** The types of a server whose client has the same ones, and those that clients must not know. */
function sharedTypesModule({ contentTypes, components }: Pick<TypesInput, 'contentTypes' | 'components'>): TsModule {
  const names = typeNames({ contentTypes, components });
  const from = importPath(SERVER_TYPES, CLIENT_TYPES);
  const declared = contentTypes.flatMap(({ uid }) => [
    names.type(uid).private,
    names.type(uid).own,
    names.type(uid).serverOnly,
  ]);
  const scope = createTypeScope({ home: 'server', names, declared, library: LIBRARIES.server, from });
  const declarations = contentTypes.flatMap((type) => ownDeclarations(type, names.type(type.uid), scope));
  return { header: HEADER, imports: scope.imports.list(true), reexported: from, declarations };
}

/**
 * The types for the server and its client: `types.ts` and `types.d.ts`. In the v4 format they are the same, so the server uses
 * those of the client. In the v5 format, clients identify entries by document ids, and the server's code by ids.
 */
export function typesFiles(model: ContentModel): GeneratedFile[] {
  const { contentTypes, components, locales, api } = model;
  const common = { contentTypes, components, locales, inDrafts: [...draftComponents(model)].sort() };
  const serverTypes = contentTypes.map((type) => ({
    ...type,
    attributes: type.attributes.filter((attribute) => isServerOnly(attribute) || attribute.private),
  }));
  return [
    tsModuleFile(CLIENT_TYPES, { ...common, home: api.format === 'v5' ? 'documents' : 'client' }, typesModule),
    api.format === 'v5'
      ? tsModuleFile(SERVER_TYPES, { ...common, home: 'server' }, typesModule)
      : tsModuleFile(SERVER_TYPES, { contentTypes: serverTypes, components }, sharedTypesModule),
  ];
}
