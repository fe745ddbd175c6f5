/**
 * Builds the content model from validated definitions: computes names, resolves references and inverses, and freezes
 * it.
 */
import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import { diagnosticsOfRun, hasErrors } from '../diagnostics/sort-diagnostics.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ComponentDefinition, ContentTypeDefinition, SchemaDefinition } from '../schema/definition.ts';
import type { PartialSchema, SchemaReading } from '../schema/read-schema.ts';
import { builtInTypesOf, creatorFields, type FileNeeds, type UserExtension } from './built-in-types.ts';
import { checkComponentNesting } from './check-components.ts';
import { checkAttributeNames, checkTypesAndComponents, pluralNameOf, routeOf, tableNameOf } from './check-names.ts';
import { checkFormerNames } from './check-renames.ts';
import { checkRegistration } from './check-registration.ts';
import { checkRequiredCycles } from './check-required-cycles.ts';
import type { Component, ContentModel, ContentType } from './content-model.ts';
import { deepFreeze } from './deep-freeze.ts';
import { createContext, type ModelContext, type Owner, ownersOf, usersOwner } from './model-context.ts';
import { codeNames } from './naming.ts';
import { resolveAdmin } from './resolve-admin.ts';
import { resolveAdminView } from './resolve-admin-view.ts';
import { withListViews } from './resolve-list-views.ts';
import { resolveCosts } from './resolve-costs.ts';
import { resolveGraphql } from './resolve-graphql.ts';
import { resolveAttribute } from './resolve-attribute.ts';
import { indexedMembers, indexedNames, resolveIndexes } from './resolve-indexes.ts';
import { resolvePermissions } from './resolve-permissions.ts';
import { resolveSearch } from './resolve-search.ts';
import { resolveKey } from './resolve-key.ts';
import { resolveTenant } from './resolve-tenant.ts';
import { resolveUnique, uniqueNames } from './resolve-unique.ts';
import { resolveApi, resolveDatabases, resolveLocales, resolveName } from './resolve-settings.ts';
import { resolveImageSizes } from './resolve-image-sizes.ts';
import { resolveWebhooks } from './resolve-webhooks.ts';
import { withSharedRelations } from './shared-relations.ts';

function byUid(a: { readonly uid: string }, b: { readonly uid: string }): number {
  return a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0;
}

function resolveType(context: ModelContext, type: ContentTypeDefinition): ContentType {
  const { uid, kind, displayName, description, texts, draftAndPublish, localized, attributes, location } = type;
  const indexed = new Set([...indexedNames(type), ...uniqueNames(type)]);
  const owner: Owner = { kind: 'contentType', uid, localized, draftAndPublish, attributes, indexed };
  const own = attributes.map((attribute) => resolveAttribute(context, owner, attribute));
  const resolved = type.creatorFields ? [...own, ...creatorFields({ localized, location })] : own;
  return {
    uid,
    kind,
    pluralName: pluralNameOf(type),
    tableName: tableNameOf(type),
    route: routeOf(type),
    names: codeNames(uid),
    displayName,
    description,
    ...(texts && { texts }),
    draftAndPublish,
    ...(draftAndPublish && context.schema.schedules?.value === true && { schedules: true }),
    history: type.history,
    trash: type.trash,
    localized,
    documentIds: context.schema.api.format !== undefined,
    renamedFrom: type.renamedFrom?.value,
    builtIn: false,
    register: [],
    indexes: resolveIndexes(context, type, resolved),
    unique: resolveUnique(context, type, resolved),
    key: resolveKey(context, type, resolved),
    ...resolveTenant(context, type, resolved),
    search: resolveSearch(context, type, resolved),
    admin: resolveAdminView(context, type),
    attributes: resolved,
    location,
  };
}

function resolveComponent(
  context: ModelContext,
  component: ComponentDefinition,
  indexed: ReadonlySet<string> | undefined,
): Component {
  const { uid, displayName, description, texts, renamedFrom, attributes, location } = component;
  const owner: Owner = { kind: 'component', uid, localized: false, attributes, ...(indexed ? { indexed } : {}) };
  return {
    uid,
    names: codeNames(uid),
    displayName,
    description,
    ...(texts && { texts }),
    renamedFrom: renamedFrom?.value,
    attributes: attributes.map((attribute) => resolveAttribute(context, owner, attribute)),
    location,
  };
}

/** The attributes that `users` adds to the built-in type `user`. */
function resolveUsers(context: ModelContext): UserExtension | undefined {
  const { users } = context.schema;
  if (users === undefined) return undefined;
  const owner = usersOwner(users);
  checkRegistration(context, users);
  return {
    location: users.location,
    attributes: users.attributes.map((attribute) => resolveAttribute(context, owner, attribute)),
    register: users.register.map(({ value }) => value),
  };
}

/** What the schema needs of files. */
function fileNeeds({ roles, uploads }: Pick<SchemaDefinition, 'roles' | 'uploads'>): FileNeeds {
  const actions = roles
    .flatMap(({ permissions }) => permissions)
    .flatMap(({ subject, actions: all }) => (all === '*' ? [] : all.map(({ rule }) => ({ of: subject.value, rule }))));
  return {
    isRuled: actions.some(({ of, rule }) => of === 'upload' && rule !== undefined),
    hasUploader: actions.some(({ rule }) => rule && JSON.stringify(rule.value).includes('"uploadedBy":')),
    trash: uploads?.value.trash?.value,
    hasFocalPoints: uploads?.value.focalPoints?.value === true,
    hasCrops: uploads?.value.crops?.value === true,
    hasPlaceholders: uploads?.value.placeholders?.value === true,
    hasTags: uploads?.value.tags?.value === true,
    hasFolders: uploads?.value.folders?.value === true,
  };
}

function resolveSchema(context: ModelContext): ContentModel {
  const { schema, report } = context;
  const contentTypes = schema.contentTypes.map((type) => resolveType(context, type)).sort(byUid);
  const indexed = indexedMembers(context);
  const components = schema.components
    .map((component) => resolveComponent(context, component, indexed.get(component.uid)))
    .sort(byUid);
  const related = withSharedRelations([
    ...contentTypes,
    ...builtInTypesOf([...contentTypes, ...components], {
      documentIds: schema.api.format !== undefined,
      user: resolveUsers(context),
      files: fileNeeds(schema),
    }),
  ]);
  const types = withListViews(context, related, components);
  return {
    name: resolveName(report, schema),
    databases: resolveDatabases(report, schema),
    locales: resolveLocales(report, schema),
    api: resolveApi(report, schema),
    docs: schema.docs?.value ?? 'development',
    mcp: schema.mcp?.value ?? false,
    graphql: resolveGraphql(context),
    admin: resolveAdmin(context),
    webhooks: resolveWebhooks(context),
    imageSizes: resolveImageSizes(context),
    resumableUploads: schema.uploads?.value.resumable?.value === true && types.some(({ uid }) => uid === 'file'),
    jobs: schema.jobs?.value ?? false,
    cacheTags: (schema.cacheTags?.value ?? false) !== false,
    costs: resolveCosts(context),
    audit: schema.audit?.value ?? false,
    events: schema.events?.value ?? false,
    runtime: schema.runtime?.value ?? 'vendored',
    contentTypes: types,
    components,
    roles: resolvePermissions(context, types, components),
  };
}

/** Codes of errors about references, which may be false if the other end of the reference could not be read. */
const ABOUT_REFERENCES: ReadonlySet<string> = new Set<DiagnosticCode>([
  'attribute/index',
  'attribute/target-field',
  'attribute/unique',
  'type/key',
  'type/tenant',
  'attribute/visible',
  'component/unknown',
  'component/zone',
  'name/renamed',
  'permission/rule',
  'permission/unknown-action',
  'permission/unknown-type',
  'relation/inverse-taken',
  'relation/missing-inverse',
  'relation/side',
  'relation/target',
  'relation/unknown-target',
  'relation/wrong-inverse',
  'type/admin',
  'type/search',
  'users/register',
]);

/** The errors of a partially read schema, except those that may be caused by the unread parts. */
function problemsOfPart({ schema, unread }: PartialSchema): readonly Diagnostic[] {
  const names = [...unread].map(named);
  return buildContentModel(schema).diagnostics.filter(({ code, severity, message }) => {
    if (severity !== 'error') return false;
    return !ABOUT_REFERENCES.has(code) || !names.some((name) => message.includes(name));
  });
}

/** The model of a schema as read, with all problems of reading and resolving it, sorted by file and line. */
export function resolveReading({ value, partial, diagnostics }: SchemaReading): Result<ContentModel> {
  const model = value && buildContentModel(value);
  const further = model?.diagnostics ?? (partial ? problemsOfPart(partial) : []);
  return { value: model?.value, diagnostics: diagnosticsOfRun([...diagnostics, ...further]) };
}

/**
 * Resolves `schema` to the content model, deeply frozen. All problems are reported together, sorted by file and line.
 * There is a model only if none of them is an error.
 */
export function buildContentModel(schema: SchemaDefinition): Result<ContentModel> {
  const diagnostics: Diagnostic[] = [];
  const context = createContext(schema, (diagnostic) => diagnostics.push(diagnostic));
  checkTypesAndComponents(context);
  for (const owner of ownersOf(schema)) checkAttributeNames(context, owner);
  checkFormerNames(context);
  checkComponentNesting(context);
  const model = resolveSchema(context);
  if (!hasErrors(diagnostics)) checkRequiredCycles(context);
  return { value: hasErrors(diagnostics) ? undefined : deepFreeze(model), diagnostics: diagnosticsOfRun(diagnostics) };
}
