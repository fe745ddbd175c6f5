/** `client/`: a package with which frontends call the server, including the types of the schema. */
import type { FormatName } from '#contract/api-settings.ts';
import { customUserAttributes, keepsDeletedFiles } from '../../model/built-in-types.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { builtFile, readContents } from '../built-files.ts';
import { pathSegment, propertyKey, tsString } from '../escape.ts';
import { headerLine } from '../header.ts';
import { jsonFile, templateFile } from '../managed-file.ts';
import { ownTypes } from '../routed-types.ts';
import { createImports, importLine } from '../ts-module.ts';
import { typeNames } from '../types/type-scope.ts';
import { clientNames } from './client-names.ts';

const HEADER = headerLine('the schema');
const LIBRARY = './lib/client.js';

/** The format that the client uses. */
function formatOf({ api }: ContentModel): FormatName {
  return api.format ?? 'v4';
}

/** The information about a type that `index.js` needs to send its requests. */
function typeInfo(type: ContentType): string {
  const members = [
    `path: ${tsString(pathSegment(type.route))}`,
    ...(type.kind === 'singleType' ? ['single: true'] : []),
    ...(type.localized ? ['localized: true'] : []),
  ];
  return `{ ${members.join(', ')} }`;
}

function codeFile(names: ReadonlyMap<string, ContentType>, parts: readonly string[]): GeneratedFile {
  return templateFile('client/index.js', 'managed', 'client/index.js', {
    header: HEADER,
    types: [...names].map(([name, type]) => ({ key: propertyKey(name), info: typeInfo(type) })),
    parts,
  });
}

/** The client types that the index refers to, for one response format. */
interface Forms {
  readonly collection: string;
  readonly single: string;
  readonly options: string;
  /** Appended to the other type arguments. */
  readonly rest: string;
}

const FORMS: Readonly<Record<FormatName, Forms>> = {
  v4: { collection: 'Collection', single: 'Single', options: 'ClientOptions', rest: ', X' },
  v5: { collection: 'DocumentCollection', single: 'DocumentSingle', options: 'DocumentClientOptions', rest: '' },
};

/** Parts of the client beside its content types. */
function features({ contentTypes }: ContentModel): readonly { readonly name: string; readonly type: string }[] {
  const has = (uid: string) => contentTypes.some((type) => type.uid === uid);
  return [
    ...(has('user') ? [{ name: 'auth', type: 'Auth' }] : []),
    ...(has('file') ? [{ name: 'upload', type: keepsDeletedFiles(contentTypes) ? 'UploadWithTrash' : 'Upload' }] : []),
    { name: 'batch', type: 'Batch' },
  ];
}

/** Types of the attributes that the schema adds to users: in responses, and in registration requests. */
function userTypes(model: ContentModel): readonly string[] {
  const user = model.contentTypes.find(({ uid }) => uid === 'user');
  if (user === undefined || customUserAttributes(user).length === 0) return [];
  const { attributes, registration } = typeNames(model).type(user.uid);
  return [attributes, ...(user.register.length > 0 ? [registration] : [])];
}

function declarationFile(model: ContentModel, names: ReadonlyMap<string, ContentType>): GeneratedFile {
  const imports = createImports(['Client', 'Locale', 'Result', 'createClient']);
  const library = (name: string) => imports.add(LIBRARY, name);
  const local = (name: string) => imports.add('./types.js', name);
  const all = typeNames(model);
  const { collection, single, options, rest } = FORMS[formatOf(model)];
  const further = userTypes(model).map((name) => local(name));
  const parts = features(model).map(({ name, type }) => ({
    key: name,
    type: `${library(type)}${name === 'auth' && further.length > 0 ? `<${further.join(', ')}>` : ''}`,
  }));
  if (model.events) {
    const told = [...names.values()].map(({ uid }) => {
      const { populated } = all.type(uid);
      return `${propertyKey(uid)}: ${library('ToldEntry')}<${local(populated)}>`;
    });
    parts.push({ key: 'events', type: `${library('Events')}<{ ${told.join('; ')} }>` });
  }
  const isV4 = formatOf(model) === 'v4';
  const types = [...names].map(([name, type]) => {
    const own = all.type(type.uid);
    const isSingle = type.kind === 'singleType';
    const sent = isSingle ? [own.update] : [own.create, own.update];
    const parameters = [own.populated, ...sent].map(local).join(', ');
    const form = `${isSingle ? single : collection}${type.draftAndPublish ? 'WithDrafts' : ''}`;
    const key = isSingle ? '' : isV4 ? 'number, ' : 'string, ';
    const former = type.history && library(isSingle ? 'SingleHistory' : 'CollectionHistory');
    const history = former ? ` & ${former}<${key}${local(own.populated)}${isV4 ? rest : ", 'flat'"}>` : '';
    const id = isSingle ? '' : `<${isV4 ? 'number' : 'string'}>`;
    const kind = isSingle ? 'Single' : 'Collection';
    const schedules = type.schedules ? ` & ${library(`${kind}Schedules`)}${id}` : '';
    const trash = type.trash === undefined ? '' : ` & ${library(`${kind}Trash`)}${id}`;
    const whole = `${library(form)}<${parameters}${rest}>${history}${schedules}${trash}`;
    return { key: propertyKey(name), type: whole };
  });
  const format = formatOf(model) === 'v4' && {
    type: library('Format'),
    standard: tsString(model.api.entryMeta === 'localized' ? 'sparse' : 'nested'),
  };
  const optionsType = library(options);
  return templateFile('client/index.d.ts', 'managed', 'client/index.d.ts', {
    header: HEADER,
    imports: imports.list(true).map((one) => importLine(one)),
    locales: model.locales.map(tsString).join(' | '),
    members: [...parts, ...types],
    options: optionsType,
    format,
  });
}

function packageJson({ name }: ContentModel) {
  return {
    name: `${name}-client`,
    version: '0.1.0',
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './types': { types: './types.d.ts' },
    },
    files: ['index.js', 'index.d.ts', 'types.d.ts', 'lib'],
  };
}

/**
 * All files of the client. Its package.json belongs to the team, which chooses the name and version to publish under.
 */
export function clientFiles(model: ContentModel): GeneratedFile[] {
  const names = clientNames(ownTypes(model), model);
  return [
    jsonFile('client/package.json', 'once', packageJson(model)),
    codeFile(names, model.events ? ['events'] : []),
    declarationFile(model, names),
    ...Object.entries(readContents().client).map(([from, file]) =>
      builtFile(from.replace(/^client\//u, 'client/lib/'), `runtime/dist/${from}`, file),
    ),
  ];
}
