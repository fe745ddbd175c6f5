/** The features of a server. A further one is a line here. */
import { leftOut } from '../base/left-out.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { usedGroups } from '../contract/routes/built-in.ts';
import { auth } from '../features/auth/open-auth.ts';
import { contentTypeBuilder } from '../features/content-type-builder/content-type-builder.ts';
import { locales } from '../features/locales/locale-routes.ts';
import { forms } from '../features/upload/forms.ts';
import type { Feature, RunningFeature } from '../http/feature.ts';
import type { Settings } from './settings.ts';

type AnyFeature = Feature<Settings>;

/** In the order in which they see a request. What some servers do not use is loaded by those that do. */
const FEATURES: readonly { readonly name: string; load(): AnyFeature | Promise<AnyFeature> }[] = [
  { name: 'auth', load: () => auth },
  {
    name: 'upload',
    load: async () => (await import('../features/upload/mount-uploads.ts').catch(leftOut('media'))).upload,
  },
  { name: 'forms', load: () => forms },
  { name: 'locales', load: () => locales },
  { name: 'content-type-builder', load: () => contentTypeBuilder },
  { name: 'mcp', load: async () => (await import('../features/mcp/mcp.ts').catch(leftOut('mcp'))).mcp },
  { name: 'admin', load: async () => (await import('../features/admin/open-admin.ts').catch(leftOut('admin'))).admin },
  { name: 'docs', load: async () => (await import('../features/docs/docs.ts').catch(leftOut('docs'))).docs },
];

/** Those without routes in the table serve every server. */
const ALWAYS: ReadonlySet<string> = new Set(['forms']);

/** The features that a server with these types uses. `chosen`: names of those that settings choose. */
export async function loadFeatures({ types }: ContentTypes, chosen: readonly string[]): Promise<readonly AnyFeature[]> {
  const groups = usedGroups(new Set(Object.keys(types)), new Set(chosen)).map(({ feature }) => feature);
  const used = new Set([...groups, ...chosen]);
  return Promise.all(FEATURES.filter(({ name }) => ALWAYS.has(name) || used.has(name)).map(async ({ load }) => load()));
}

/** A feature that runs, with what is known of it beforehand. */
export interface StartedFeature {
  readonly feature: AnyFeature;
  readonly running: RunningFeature;
}

/** Throws where a feature mounts other routes than those that it says. */
export function checkMounts({ feature, running }: StartedFeature): void {
  const said = new Set<object>(feature.routes);
  const mounted = new Set<object>(running.mounts.flatMap(({ routes }) => routes));
  const differing = [
    ...feature.routes.filter((route) => !mounted.has(route)),
    ...[...mounted].filter((route) => !said.has(route)),
  ];
  if (differing.length === 0) return;
  const ids = differing.map((route) => (route as { readonly id: string }).id);
  throw new Error(`the feature ${feature.name} does not mount the routes that it has: ${ids.join(', ')}`);
}
