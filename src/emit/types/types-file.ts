/** The types of a content type or component: `types.ts` of the server, and those of the client. */
import { isDeepStrictEqual } from 'node:util';
import type { Component, ContentType } from '../../model/content-model.ts';
import { customUserAttributes } from '../../model/built-in-types.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { docText } from '../escape.ts';
import { type Home, TYPES_HOMES } from '../generated-paths.ts';
import { headerLine } from '../header.ts';
import { tsModuleFile } from '../managed-file.ts';
import type { TsDeclaration, TsModule, TsProperty } from '../ts-module.ts';
import { inputProperties, serverOnlyProperties, systemInputProperties } from './input-properties.ts';
import {
  docOf,
  documentProperties,
  populatedProperties,
  scalarProperties,
  systemProperties,
} from './output-properties.ts';
import {
  componentInputName,
  createTypeScope,
  declaredNames,
  type DeclaredNames,
  type TypeScope,
} from './type-scope.ts';

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
  const entry = scope.runtime('Entry');
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

/** The request types. A single type has no `create`: the first update creates it. */
function inputDeclarations(
  { type, home, locales }: TypeInput,
  names: DeclaredNames,
  scope: TypeScope,
): TsDeclaration[] {
  const drafts = type.draftAndPublish;
  // In the server, the type must be identical to that of the validators, which check the locale only once they know the
  // server's locales.
  const sent = home === 'client' ? locales : undefined;
  const system = (operation: 'create' | 'update') =>
    home === 'documents' ? [] : systemInputProperties(type, operation, sent);
  const create = [
    ...inputProperties(type.attributes, scope, { complete: !drafts, nullable: drafts }),
    ...system('create'),
  ];
  const update = [
    ...inputProperties(type.attributes, scope, { complete: false, nullable: drafts }),
    ...system('update'),
  ];
  const updateDoc = 'The `data` of an update; omitted attributes stay unchanged.';
  const serverOnly = home === 'server' ? serverOnlyProperties(type.attributes, scope) : [];
  const serverDoc = 'Attributes that only hooks and the server can set.';
  return [
    requestType(names.create, 'The `data` of a new entry.', create),
    isDeepStrictEqual(create, update)
      ? { kind: 'alias', name: names.update, doc: updateDoc, type: names.create }
      : requestType(names.update, updateDoc, update),
    ...(serverOnly.length > 0 ? [requestType(names.serverOnly, serverDoc, serverOnly)] : []),
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

/** `types` are the types declared in one file. */
function typesModule({ types, home }: { readonly types: readonly TypeInput[]; readonly home: Home }): TsModule {
  const uids = types.map(({ type }) => `\`${type.uid}\``).join(' and ');
  const all = types.map((input) => ({ input, names: declaredNames(input.type.names.pascal) }));
  const { typeFile } = TYPES_HOMES[home];
  const file = types[0] === undefined ? '' : typeFile(types[0].type.uid);
  const scope = createTypeScope(
    TYPES_HOMES[home],
    file,
    all.flatMap(({ names }) => Object.values(names)),
  );
  const declarations = all.flatMap(({ input, names }) => {
    const { type } = input;
    return [
      ...responseDeclarations(input, names, scope),
      ...(type.builtIn || type.kind === 'singleType' ? [] : [queryDeclaration(home, names, scope)]),
      ...(type.builtIn ? extensionDeclarations(type, names, scope) : inputDeclarations(input, names, scope)),
    ];
  });
  const kind = types.some(({ type }) => type.builtIn) ? 'built-in' : 'content';
  const header = headerLine(`the ${kind} type${types.length > 1 ? 's' : ''} ${uids}`);
  return { header, imports: scope.imports.list(true), declarations };
}

/** `drafts`: whether entries that may lack required values contain it. */
interface ComponentInput {
  readonly component: Component;
  readonly drafts: boolean;
  readonly home: Home;
}

function componentModule({ component, drafts, ...input }: ComponentInput): TsModule {
  const { pascal } = component.names;
  const inputName = componentInputName(pascal);
  const home = TYPES_HOMES[input.home];
  const scope = createTypeScope(home, home.componentFile(component.uid), [pascal, inputName]);
  const id: TsProperty = { key: 'id', type: 'number', optional: false };
  const inputId: TsProperty = {
    key: 'id',
    type: scope.runtime('EntryId'),
    optional: true,
    ...docOf('The id of an existing item, to update it in place.'),
  };
  const declarations = [
    responseType(pascal, describe(`An item of \`${component.uid}\` in a response.`, component), [
      id,
      ...scalarProperties(component.attributes, !drafts),
      ...populatedProperties(component.attributes, scope),
    ]),
    requestType(inputName, 'An item in a request.', [
      inputId,
      ...inputProperties(component.attributes, scope, { complete: false, nullable: false }),
    ]),
  ];
  return { header: headerLine(`the component \`${component.uid}\``), imports: scope.imports.list(true), declarations };
}

/** The files with the types of content types. `locales` are the locales of the server. */
export function typesFiles(types: readonly ContentType[], home: Home, locales: readonly string[]): GeneratedFile[] {
  const files = new Map<string, TypeInput[]>();
  for (const type of types) {
    const path = TYPES_HOMES[home].typeFile(type.uid);
    const input = { type, home, locales: type.localized ? locales : [] };
    files.set(path, [...(files.get(path) ?? []), input]);
  }
  return [...files].map(([path, inFile]) => tsModuleFile(path, { types: inFile, home }, typesModule));
}

/** The file with the types of a component. `drafts`: whether drafts can contain it. */
export function componentTypesFile(component: Component, home: Home, drafts: boolean): GeneratedFile {
  const input = { component, drafts, home };
  return tsModuleFile(TYPES_HOMES[home].componentFile(component.uid), input, componentModule);
}
