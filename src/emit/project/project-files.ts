/** Project files other than code: README, containers, settings, and tests. */
import { guardsFiles } from '#contract/policy/guarded-files.ts';
import { ENGINES } from '#contract/engines.ts';
import type { ContentModel, ContentType, Dialect } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { clientNames } from '../client/client-names.ts';
import { composeValue, envValue, markdownText, pathSegment, propertyAccess, tsString } from '../escape.ts';
import { templateFile } from '../managed-file.ts';
import type { View } from '../template.ts';
import { forBothPlaces } from './both-places.ts';
import { exampleView } from './example-type.ts';
import { modelDocument } from './model-document.ts';
import { permissionMatrixFile } from './permission-matrix.ts';

/** A name for files and databases: the project name without its npm scope. */
function plainName(model: ContentModel): string {
  return (
    model.name
      .replace(/^@[^/]*\//, '')
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '') || 'server'
  );
}

/** The engine that a new project uses first. */
function firstDialect(model: ContentModel): Dialect {
  return model.databases[0] ?? 'sqlite';
}

function composeUrl(dialect: Dialect, database: string): string {
  if (dialect === 'sqlite') return composeValue(`sqlite:./data/${database}.db`);
  // Compose substitutes the password, so this `$` is not doubled.
  return `"${dialect}://server:\${DATABASE_PASSWORD:?set it in .env}@database/${pathSegment(database)}"`;
}

function exampleUrl(dialect: Dialect, database: string): string {
  if (dialect === 'sqlite') return envValue(`sqlite:./data/${database}.db`);
  return envValue(`${dialect}://server:password@127.0.0.1/${database}`);
}

function readmeView(model: ContentModel): View {
  return {
    title: markdownText(model.name),
    admin: model.admin !== undefined,
    adminRole: model.roles.find(({ permissions }) => permissions.includes('admin.access'))?.role ?? 'editor',
  };
}

/** The README's example of the client: its import and a request for entries. */
function clientView(model: ContentModel, types: readonly ContentType[]): View {
  const [first] = clientNames(types, model);
  const query = first?.[1].kind === 'singleType' ? '' : "{ sort: 'id' }";
  const example = first && `api${propertyAccess(first[0])}.find(${query})`;
  return { clientPackage: tsString(`${model.name}-client`), folder: plainName(model), example };
}

/** The services that tests need in CI: one per database server among the databases of the schema. */
function workflowView({ databases }: ContentModel): View {
  const [sqlite, postgres, mysql] = ENGINES.map((name) => databases.includes(name));
  return { sqlite, postgres, mysql, hasServices: postgres === true || mysql === true };
}

const CACHE_NAMES = {
  varnish: 'The URL of Varnish, which is purged: http://varnish:6081',
  fastly: 'The id of the service of Fastly that is purged, and a token that may purge it',
  cloudflare: 'The id of the zone of Cloudflare that is purged, and a token that may purge it',
} as const;

/** The variables of those who are told: signed requests have secrets. */
function receiversView({ webhooks = [] }: ContentModel): View {
  const caches = webhooks.flatMap(({ cache, url, secret = '' }) =>
    cache === undefined || cache === 'next' ? [] : [{ what: CACHE_NAMES[cache], url, secret }],
  );
  const signed = webhooks.filter(({ cache }) => cache === undefined || cache === 'next');
  return {
    caches,
    webhooks: signed.length > 0 && signed.map(({ url, secret = '' }) => ({ url, secret })),
  };
}

function once(path: string, template: string, view: View = {}): GeneratedFile {
  return templateFile(path, 'once', template, view);
}

function rolesByName({ roles }: ContentModel): Parameters<typeof guardsFiles>[0] {
  return {
    roles: Object.fromEntries(roles.map(({ role, permissions }) => [role, permissions])),
    rules: Object.fromEntries(roles.map(({ role, rules = {} }) => [role, rules])),
  };
}

/** `types` are the types with routes of their own. */
export function projectFiles(model: ContentModel, types: readonly ContentType[]): GeneratedFile[] {
  const dialect = firstDialect(model);
  const name = plainName(model);
  const usesServer = dialect !== 'sqlite';
  const offersSqlite = model.databases.includes('sqlite');
  const offersPostgres = !usesServer && model.databases.includes('postgres');
  const placed = (path: string, template: string, view: View = {}) =>
    forBothPlaces(model, ({ runtime }) => once(path, template, { ...view, isVendored: runtime === 'vendored' }));
  return [
    placed('AGENTS.md', 'AGENTS.md', { title: markdownText(model.name), ...exampleView(types) }),
    modelDocument(model),
    placed('README.md', 'README.md', {
      ...readmeView(model),
      ...clientView(model, types),
      ...exampleView(types),
    }),
    placed('Dockerfile', 'Dockerfile'),
    once('.dockerignore', 'dockerignore'),
    once('compose.yaml', 'compose.yaml', {
      usesServer,
      filesVolume: usesServer ? 'files' : 'data',
      postgres: dialect === 'postgres',
      mysql: dialect === 'mysql',
      databaseName: composeValue(name),
      databaseUrl: composeUrl(dialect, name),
    }),
    once('.github/workflows/content.yml', 'workflow.yml', workflowView(model)),
    once('.env.example', 'env.example', {
      usesServer: usesServer || offersPostgres,
      usesPostgres: model.databases.includes('postgres'),
      cacheTags: model.cacheTags,
      audit: model.audit,
      events: model.events,
      jobs: model.jobs,
      ...receiversView(model),
      usesMysql: model.databases.includes('mysql'),
      databaseUrl: exampleUrl(dialect, name),
      guardsFiles: guardsFiles(rolesByName(model)),
      resumableUploads: model.resumableUploads,
    }),
    once('.gitignore', 'gitignore'),
    placed('.prettierignore', 'prettierignore'),
    placed('.gitattributes', 'gitattributes'),
    once('test/contract.test.ts', 'test/contract.test.ts', { sqlite: offersSqlite }),
    // This test uses SQLite unless the team changes it.
    ...(offersSqlite
      ? [
          once('test/extensions.test.ts', 'test/extensions.test.ts', {
            exampleEntries: propertyAccess(types[0]?.uid ?? 'article'),
          }),
        ]
      : []),
    once('test/permissions.test.ts', 'test/permissions.test.ts', { sqlite: offersSqlite }),
    permissionMatrixFile(model),
  ];
}
