/** Files that combine all types: application, commands, and the types of hooks. */
import { isFreeText } from '#contract/attribute-types/scalar-type.ts';
import { customUserAttributes } from '../../model/built-in-types.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { plainRule } from '#contract/policy/describe-rule.ts';
import { propertyAccess, propertyKey, tsString } from '../escape.ts';
import { importPath, routesPath, SERVER_TYPES } from '../generated-paths.ts';
import { headerLine } from '../header.ts';
import { templateFile } from '../managed-file.ts';
import { printExpanded } from '../print-literal.ts';
import { rolesWithRules } from '../routed-types.ts';
import { createImports, genericProperty, importLine } from '../ts-module.ts';
import { isServerOnly } from '../types/input-properties.ts';
import { privateAttributes } from '../types/output-properties.ts';
import { typeNames } from '../types/type-scope.ts';
import { routesName } from './routes-file.ts';

const HEADER = headerLine('the schema');
const APP = 'src/generated/app.ts';
const EXTENSIONS = 'src/generated/extensions.ts';
const JOBS = 'src/generated/jobs.ts';
const OWN_JOBS = 'src/extensions/jobs.ts';

/** `types` are the types with routes of their own. */
function appFile(model: ContentModel, types: readonly ContentType[]): GeneratedFile {
  const imports = createImports(['requiredRuntimeApi', 'definition', 'start', 'startServer']);
  const lines = types.map((type) => ({
    key: propertyKey(type.uid),
    file: tsString(importPath(APP, routesPath(type.uid))),
    routes: routesName(type),
  }));
  imports.add('./database.ts', 'contentTypes');
  const roles = Object.fromEntries(model.roles.map(({ role, permissions }) => [role, permissions]));
  const ruled = rolesWithRules(model).map(({ role, rules }) => {
    const plain = Object.entries(rules).map(([permission, rule]) => [permission, plainRule(rule)] as const);
    return [role, Object.fromEntries(plain)] as const;
  });
  return templateFile(APP, 'managed', APP, {
    header: HEADER,
    imports: imports.list(false).map((one) => importLine(one)),
    types: lines,
    name: tsString(model.name),
    api: printExpanded({ ...model.api }, '  '),
    roles: printExpanded(roles, '  '),
    rules: ruled.length > 0 && printExpanded(Object.fromEntries(ruled), '  '),
    docs: typeof model.docs === 'string' ? tsString(model.docs) : String(model.docs),
    mcp: String(model.mcp),
    graphql: model.graphql && printExpanded({ ...model.graphql }, '  '),
    webhooks:
      model.webhooks &&
      printExpanded(
        model.webhooks.map((webhook) => ({ ...webhook })),
        '  ',
      ),
    imageSizes:
      model.imageSizes &&
      printExpanded(
        model.imageSizes.map((size) => ({ ...size })),
        '  ',
      ),
    resumableUploads: model.resumableUploads,
    cacheTags: model.cacheTags,
    costs: model.costs && printExpanded({ ...model.costs }, '  '),
    audit: model.audit,
    events: model.events,
    jobs: model.jobs,
    admin: model.admin === true ? 'true' : model.admin && printExpanded(model.admin, '  '),
  });
}

/** The runtime's hook types for built-in types. */
const BUILT_IN: Readonly<Record<string, string>> = { file: 'File', user: 'User' };

/** The entries of types with private attributes, which no caller sees. */
function callerEntries(types: readonly { readonly uid: string; readonly ofCaller: string | false }[]) {
  const differing = types.filter(({ ofCaller }) => ofCaller);
  const left = ['as', ...differing.map(({ uid }) => uid)].map(tsString).join(' | ');
  return differing.length === 0 ? { ofCaller: 'Entries' } : { ofCaller: 'CallerEntries', left, differing };
}

/** `types` are the types with entries; the built-in ones have only hooks. */
function extensionsFile(model: ContentModel, types: readonly ContentType[]): GeneratedFile {
  const typesOf = typeNames(model);
  const imports = createImports(['Actions', 'CallerEntries', 'Entries', 'Hooks', 'defineExtensions', 'entriesOf']);
  const runtime = (name: string) => imports.add('@content-gen/runtime', name);
  const functions = ['typedEntries', 'untypedExtensions'];
  for (const name of ['AnyExtensions', 'Caller', 'ContentServer', 'Extensions', ...functions]) runtime(name);
  if (model.jobs) runtime('HasJobs');
  const local = (name: string) => imports.add(importPath(EXTENSIONS, SERVER_TYPES), name);
  const lines = types.map((type) => {
    const names = typesOf.type(type.uid);
    const isSingle = type.kind === 'singleType';
    const entry = local(names.populated);
    const inputs = (isSingle ? [names.update] : [names.create, names.update]).map(local);
    const hasPrivate = privateAttributes(type).length > 0;
    const own = hasPrivate ? local(names.own) : entry;
    const serverOnly = type.attributes.some(isServerOnly) ? [local(names.serverOnly)] : [];
    const kind = isSingle ? 'Single' : 'Collection';
    const key = propertyKey(type.uid);
    const entries = runtime(`${kind}Entries${type.draftAndPublish ? 'WithDrafts' : ''}`);
    const history = type.history && runtime(`${kind}EntryHistory`);
    const withHistory = (of: string): string => (history ? ` & ${history}<${of}>` : '');
    const ofHooks = hasPrivate ? [serverOnly[0] ?? 'unknown', own] : serverOnly;
    return {
      uid: type.uid,
      entries: genericProperty(key, entries, [own, ...inputs, ...serverOnly], withHistory(own)),
      ofCaller: hasPrivate && genericProperty(key, entries, [entry, ...inputs, ...serverOnly], withHistory(entry)),
      hooks: genericProperty(key, runtime(`${kind}Hooks`), [entry, ...inputs, 'Entries', ...ofHooks]),
      actions: genericProperty(key, runtime(`${kind}Actions`), [entry, ...inputs, 'Entries']),
    };
  });
  const builtIn = model.contentTypes.flatMap((type) => {
    const kind = BUILT_IN[type.uid];
    if (!type.builtIn || kind === undefined) return [];
    const names = typesOf.type(type.uid);
    const entry = local(names.populated);
    const extension = customUserAttributes(type).length > 0 ? [local(names.extension)] : [];
    const further = [...extension, ...(type.register.length > 0 ? [local(names.registration)] : [])];
    const hasPrivate = privateAttributes(type).length > 0;
    const own = hasPrivate ? local(names.own) : entry;
    const key = propertyKey(type.uid);
    const entries = runtime(`${kind}Entries`);
    return [
      {
        uid: type.uid,
        entries: genericProperty(key, entries, [own, ...extension]),
        ofCaller: hasPrivate && genericProperty(key, entries, [entry, ...extension]),
        hooks: genericProperty(key, runtime(`${kind}Hooks`), [entry, 'Entries', ...further]),
      },
    ];
  });
  const all = [...lines, ...builtIn].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  return templateFile(EXTENSIONS, 'managed', EXTENSIONS, {
    header: HEADER,
    imports: imports.list(true).map((one) => importLine(one, functions)),
    ...(model.jobs && { jobs: tsString(importPath(EXTENSIONS, OWN_JOBS)) }),
    types: lines,
    ...callerEntries(all),
    all,
  });
}

/** A property for the first writable text attribute, as an example value; empty if there is none. */
function exampleText(type: ContentType | undefined): string {
  const text = type?.attributes.find(
    (attribute) => attribute.kind === 'scalar' && attribute.writable && isFreeText(attribute.type),
  );
  return text === undefined ? '' : `${propertyKey(text.name)}: 'Hello'`;
}

/** The example of an extension in the comments of the file that is written once. */
function extensionsExample(types: readonly ContentType[]): Readonly<Record<string, string>> {
  const collection = types.find((type) => type.kind === 'collectionType');
  const example = collection ?? types[0];
  const uid = example?.uid ?? 'article';
  const isSingle = example !== undefined && collection === undefined;
  return {
    exampleKey: propertyKey(uid),
    exampleHook: isSingle ? 'beforeUpdate' : 'beforeCreate',
    exampleEntries: propertyAccess(uid),
    exampleSeed: `${isSingle ? 'save' : 'create'}({ ${exampleText(example)} })`,
  };
}

/** `types` are the types with routes of their own. */
export function serverFiles(model: ContentModel, types: readonly ContentType[]): GeneratedFile[] {
  const view = { header: HEADER };
  return [
    appFile(model, types),
    extensionsFile(model, types),
    templateFile('src/generated/command.ts', 'managed', 'src/generated/command.ts', view),
    templateFile('src/main.ts', 'once', 'src/main.ts', {}),
    templateFile('src/extensions/index.ts', 'once', 'src/extensions/index.ts', {
      ...extensionsExample(types),
      jobs: model.jobs,
    }),
    ...(model.jobs ? [templateFile(JOBS, 'managed', JOBS, view), templateFile(OWN_JOBS, 'once', OWN_JOBS, {})] : []),
  ];
}
