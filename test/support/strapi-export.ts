/** Strapi exports for tests: made from the fixture of a project, as Strapi would write them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Json = Readonly<Record<string, unknown>>;

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const SYSTEM = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  createdBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user', useJoinTable: false, private: true },
};

/** The attributes as in a running server, which resolves custom fields. */
function running(attributes: Json): Json {
  return Object.fromEntries(
    Object.entries(attributes as Record<string, Json>).map(([name, attribute]) => [
      name,
      attribute['type'] === 'customField' ? { ...attribute, type: 'string' } : attribute,
    ]),
  );
}

function schemaOf(file: string, schema: Json): Json | undefined {
  const { api, type } =
    /^src\/api\/(?<api>[^/]+)\/content-types\/(?<type>[^/]+)\/schema\.json$/u.exec(file)?.groups ?? {};
  const attributes = schema['attributes'] as Json;
  if (api !== undefined) {
    return {
      ...schema,
      uid: `api::${api}.${type}`,
      modelType: 'contentType',
      attributes: { ...running(attributes), ...SYSTEM, locale: { type: 'string' } },
    };
  }
  const { category, name } = /^src\/components\/(?<category>[^/]+)\/(?<name>[^/]+)\.json$/u.exec(file)?.groups ?? {};
  if (category !== undefined) {
    return {
      ...schema,
      uid: `${category}.${name}`.toLowerCase(),
      modelType: 'component',
      attributes: running(attributes),
    };
  }
  if (!file.startsWith('src/extensions/users-permissions/')) return undefined;
  return {
    ...schema,
    uid: 'plugin::users-permissions.user',
    modelType: 'contentType',
    attributes: { ...attributes, ...SYSTEM },
  };
}

const PLUGIN_TYPES = [
  'plugin::upload.file',
  'plugin::users-permissions.role',
  'plugin::sitemap.sitemap',
  'admin::user',
];

export interface ExportedRole {
  readonly type: string;
  readonly actions: readonly string[];
}

export interface ExportOptions {
  readonly version: string;
  readonly roles: readonly ExportedRole[];
  readonly locales: readonly string[];
  readonly links: readonly Json[];
  /** Settings of views, by `content_types::` or `components::` and the uid. */
  readonly views?: Readonly<Record<string, Json>>;
}

function lines(records: readonly unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n');
}

/** Writes an unpacked export of the project in `project` to `folder`. */
export function writeExport(project: string, folder: string, options: ExportOptions): void {
  const { version, roles, locales, links, views = {} } = options;
  const schemas = filesUnder(project)
    .filter((file) => file.endsWith('.json') && file.startsWith('src/'))
    .map((file) => [file, JSON.parse(readFileSync(join(project, file), 'utf8')) as Json] as const);
  const declared = schemas.flatMap(([file, schema]) => {
    const made = schemaOf(file, schema);
    return made?.['modelType'] === 'contentType' ? [[made['uid'], { ...made, __schema__: schema }] as const] : [];
  });
  const entities: Json[] = locales.map((code, index) => ({
    type: 'plugin::i18n.locale',
    id: index + 1,
    data: { code, name: code },
  }));
  const permissions: Json[] = [];
  for (const [index, { type, actions }] of roles.entries()) {
    entities.push({
      type: 'plugin::users-permissions.role',
      id: index + 1,
      data: { type, name: type, description: '' },
    });
    for (const action of actions) {
      const id = entities.length + 1;
      entities.push({ type: 'plugin::users-permissions.permission', id, data: { action } });
      permissions.push({
        kind: 'relation.basic',
        relation: 'manyToOne',
        left: { type: 'plugin::users-permissions.permission', ref: id, field: 'role' },
        right: { type: 'plugin::users-permissions.role', ref: index + 1, field: 'permissions' },
      });
    }
  }
  const store = (key: string, value: unknown) => ({ type: 'core-store', value: { id: 1, key, value } });
  const files: Readonly<Record<string, string>> = {
    'schemas/schemas_00001.jsonl': lines([
      ...schemas.flatMap(([file, schema]) => schemaOf(file, schema) ?? []),
      ...PLUGIN_TYPES.map((uid) => ({ uid, modelType: 'contentType', kind: 'collectionType', attributes: {} })),
    ]),
    'entities/entities_00001.jsonl': lines(entities),
    'links/links_00001.jsonl': lines([...permissions, ...links]),
    'configuration/configuration_00001.jsonl': lines([
      store('plugin_i18n_default_locale', locales.at(-1)),
      store('strapi_content_types_schema', Object.fromEntries(declared)),
      ...Object.entries(views).map(([of, view]) => store(`plugin_content_manager_configuration_${of}`, view)),
    ]),
    'metadata.json': JSON.stringify({ createdAt: '2026-01-01T00:00:00.000Z', strapi: { version } }, null, 2),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
