/** The list of all features. A new one is added here. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { usedGroups } from '../contract/routes/built-in.ts';
import { auth } from '../features/auth/open-auth.ts';
import { batch } from '../features/batch/batch.ts';
import { contentTypeBuilder } from '../features/content-type-builder/content-type-builder.ts';
import { locales } from '../features/locales/locale-routes.ts';
import { forms } from '../features/upload/forms.ts';
import type { Feature, RunningFeature } from '../http/feature.ts';
import type { Settings } from './settings.ts';

type AnyFeature = Feature<Settings>;

/** In the order in which they handle requests. Features that not all servers use are loaded lazily. */
const FEATURES: readonly {
  readonly name: string;
  load(used: ReadonlySet<string>): AnyFeature | Promise<AnyFeature>;
}[] = [
  { name: 'auth', load: () => auth },
  {
    name: 'costs',
    load: async () => (await import('../features/costs/open-costs.ts').catch(explainMissingModule('costs'))).costs,
  },
  {
    name: 'upload',
    load: async (used) =>
      (await import('../features/upload/mount-uploads.ts').catch(explainMissingModule('media'))).uploads({
        trash: used.has('file-trash'),
        folders: used.has('file-folders'),
        tags: used.has('file-tags'),
        resumable: used.has('resumable-uploads'),
      }),
  },
  { name: 'forms', load: () => forms },
  { name: 'locales', load: () => locales },
  { name: 'batch', load: () => batch },
  {
    name: 'cache-tags',
    load: async () =>
      (await import('../features/cache-tags/open-cache-tags.ts').catch(explainMissingModule('cacheTags'))).cacheTags,
  },
  {
    name: 'audit',
    load: async () => (await import('../features/audit/open-audit.ts').catch(explainMissingModule('audit'))).audit,
  },
  {
    name: 'events',
    load: async () => (await import('../features/events/open-events.ts').catch(explainMissingModule('events'))).events,
  },
  {
    name: 'webhooks',
    load: async () =>
      (await import('../features/webhooks/serve-webhooks.ts').catch(explainMissingModule('webhooks'))).webhooks,
  },
  {
    name: 'jobs',
    load: async () => (await import('../features/jobs/serve-jobs.ts').catch(explainMissingModule('jobs'))).jobs,
  },
  { name: 'content-type-builder', load: () => contentTypeBuilder },
  { name: 'mcp', load: async () => (await import('../features/mcp/mcp.ts').catch(explainMissingModule('mcp'))).mcp },
  {
    name: 'graphql',
    load: async () =>
      (await import('../features/graphql/open-graphql.ts').catch(explainMissingModule('graphql'))).graphql,
  },
  {
    name: 'schedules',
    load: async () =>
      (await import('../features/schedules/open-schedules.ts').catch(explainMissingModule('schedules'))).schedules,
  },
  {
    name: 'trash',
    load: async () => (await import('../features/trash/open-trash.ts').catch(explainMissingModule('trash'))).trash,
  },
  {
    name: 'admin',
    load: async () => (await import('../features/admin/open-admin.ts').catch(explainMissingModule('admin'))).admin,
  },
  {
    name: 'preview',
    load: async () =>
      (await import('../features/preview/open-preview.ts').catch(explainMissingModule('admin.previewUrl'))).preview,
  },
  {
    name: 'docs',
    load: async () => (await import('../features/docs/docs.ts').catch(explainMissingModule('docs'))).docs,
  },
];

/** Features that every server has, since they have no routes in the table. */
const ALWAYS: ReadonlySet<string> = new Set(['forms']);

/** Loads the features of a server with these types. `chosen` are the names of features enabled by settings. */
export async function loadFeatures({ types }: ContentTypes, chosen: readonly string[]): Promise<readonly AnyFeature[]> {
  const groups = usedGroups(new Set(Object.keys(types)), new Set(chosen)).map(({ feature }) => feature);
  const used = new Set([...groups, ...chosen]);
  return Promise.all(
    FEATURES.filter(({ name }) => ALWAYS.has(name) || used.has(name)).map(async ({ load }) => load(used)),
  );
}

/** A feature that has been started. */
export interface StartedFeature {
  readonly feature: AnyFeature;
  readonly running: RunningFeature;
}

/** Throws if a feature mounts other routes than it declares. */
export function checkMounts({ feature, running }: StartedFeature): void {
  const said = new Set<object>(feature.routes);
  const mounted = new Set<object>(running.mounts.flatMap(({ routes }) => routes));
  const differing = [
    ...feature.routes.filter((route) => !mounted.has(route)),
    ...[...mounted].filter((route) => !said.has(route)),
  ];
  if (differing.length === 0) return;
  const ids = differing.map((route) => (route as { readonly id: string }).id);
  throw new Error(
    `the feature ${feature.name} must mount exactly the routes that it declares, unlike: ${ids.join(', ')}`,
  );
}
