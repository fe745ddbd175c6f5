/** Starts and stops the features of a server. */
import { fileURLToPath } from 'node:url';
import { previewUrlOf } from '../contract/admin.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { FOLDER_ATTRIBUTE } from '../contract/upload-folders.ts';
import { TAGS_ATTRIBUTE } from '../contract/upload-tags.ts';
import type { OpenedJobs } from '../features/jobs/open-jobs.ts';
import type { FeatureHost } from '../http/feature.ts';
import type { CallableRoute } from '../http/inner-request.ts';
import type { Logger } from '../http/log.ts';
import { cachedFor, type ReadinessCheck } from '../http/readiness.ts';
import { isMigrated } from '../migrator/migrate.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import { describeProject } from './describe.ts';
import { checkMounts, loadFeatures, type StartedFeature } from './features.ts';
import type { Settings } from './settings.ts';
import { hasSchedules } from './lazy-releases.ts';
import { readReadiness } from './read-readiness.ts';
import { writeReadiness } from './write-readiness.ts';

/** How long the results of readiness checks that read from the database are cached. */
const READY_KEPT_MS = 200;

/** Starts the features in order. If one fails, stops those already started. */
async function startFeatures(
  host: FeatureHost<Settings>,
  chosen: readonly string[],
): Promise<readonly StartedFeature[]> {
  const started: StartedFeature[] = [];
  try {
    for (const feature of await loadFeatures(host.definition.contentTypes, chosen)) {
      started.push({ feature, running: await feature.start(host) });
    }
    started.forEach(checkMounts);
    return started;
  } catch (error) {
    await stopFeatures(started);
    throw error;
  }
}

/** Ends what would otherwise last: requests that wait for events. */
export function drainFeatures(features: readonly StartedFeature[]): void {
  for (const { running } of features) running.drain?.();
}

/** Stops the features in order. */
export async function stopFeatures(features: readonly StartedFeature[]): Promise<void> {
  for (const { running } of features) await running.stop?.();
}

/** For tests: moves the time of jobs, and of the features. */
export async function advanceAll(
  jobs: Pick<OpenedJobs, 'advance'> | undefined,
  features: readonly StartedFeature[],
  milliseconds: number,
): Promise<void> {
  await jobs?.advance(milliseconds);
  for (const { running } of features) await running.advance?.(milliseconds);
}

/** Whether deleted entries of a type are kept. */
export function hasTrash({ types }: ContentTypes): boolean {
  return Object.values(types).some(({ trash }) => trash !== undefined);
}

/** The names of the features that the schema and settings enable. */
function chosenFeatures(
  {
    docs,
    mcp,
    graphql,
    admin,
    cacheTags,
    costs,
    audit,
    events,
    webhooks,
    jobs,
    contentTypes,
    resumableUploads,
  }: ServerDefinition,
  { production }: Settings,
): readonly string[] {
  const hasDocs = docs === 'development' ? !production : docs;
  return [
    ...(hasDocs ? ['docs'] : []),
    ...(mcp ? ['mcp'] : []),
    ...(graphql ? ['graphql'] : []),
    ...(admin ? ['admin'] : []),
    ...(previewUrlOf(admin) === undefined ? [] : ['preview']),
    ...(cacheTags ? ['cache-tags'] : []),
    ...(costs ? ['costs'] : []),
    ...(audit ? ['audit'] : []),
    ...(events ? ['events'] : []),
    ...(webhooks ? ['webhooks'] : []),
    ...(jobs ? ['jobs'] : []),
    ...(hasSchedules(contentTypes) ? ['schedules'] : []),
    ...(hasTrash(contentTypes) ? ['trash'] : []),
    ...(contentTypes.types['file']?.trash === undefined ? [] : ['file-trash']),
    ...(contentTypes.types['file']?.attributes[FOLDER_ATTRIBUTE] ? ['file-folders'] : []),
    ...(contentTypes.types['file']?.attributes[TAGS_ATTRIBUTE] ? ['file-tags'] : []),
    ...(resumableUploads ? ['resumable-uploads'] : []),
  ];
}

/** Tells the features that the server listens. Their failures are only logged. */
export function announce(features: readonly StartedFeature[], url: string, logger: Logger): void {
  for (const { feature, running } of features) {
    running.listening?.(url).catch((error: unknown) => {
      logger.warn({ err: error, feature: feature.name }, 'work after the start failed');
    });
  }
}

/** A route of a feature, with its handler. */
async function builtInRoute(features: readonly StartedFeature[], id: string): Promise<CallableRoute | undefined> {
  for (const { running } of features) {
    for (const mount of running.mounts) {
      const route = mount.routes.find((one) => one.id === id);
      const handle = route && (await mount.load())[id];
      if (route && handle) return { method: route.method, path: route.path, permission: route.permission, handle };
    }
  }
  return undefined;
}

/** Starts the features of a server, and returns them with its readiness checks. If that fails, closes the database. */
export async function prepareFeatures(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  options: Pick<
    FeatureHost<Settings>,
    | 'database'
    | 'reader'
    | 'fileUrls'
    | 'hooked'
    | 'provide'
    | 'services'
    | 'calls'
    | 'inTransaction'
    | 'settings'
    | 'mailer'
    | 'logger'
    | 'siblings'
    | 'written'
    | 'audit'
    | 'testWebhook'
    | 'tags'
    | 'timings'
    | 'isReadByOwnCode'
    | 'ownFields'
    | 'trustedDocuments'
  >,
): Promise<{ readonly features: readonly StartedFeature[]; readonly readiness: readonly ReadinessCheck[] }> {
  const { database, settings, logger } = options;
  let features: readonly StartedFeature[] = [];
  const isReady = () => isMigrated(database, fileURLToPath(definition.migrations)).catch(() => false);
  try {
    const describe = () => describeProject(definition, extensions);
    const tools = () => features.flatMap(({ running }) => running.tools ?? []);
    const route = (id: string) => builtInRoute(features, id);
    const pageAccounts = async () => {
      const offered = features.find(({ running }) => running.pageAccounts)?.running.pageAccounts?.();
      return offered ?? Promise.reject(new Error('this server has no accounts'));
    };
    const callerSource: FeatureHost<Settings>['callerSource'] = (ctx) => {
      const offered = features.find(({ running }) => running.callerSource)?.running.callerSource?.(ctx);
      if (!offered) throw new Error('this server has no accounts');
      return offered;
    };
    const ofParts = { describe, tools, route, pageAccounts, callerSource };
    const host = { ...options, definition, isMigrated: await isReady(), ...ofParts };
    features = await startFeatures(host, chosenFeatures(definition, settings));
    const databaseCheck = cachedFor(READY_KEPT_MS, async () =>
      (await isReady()) ? undefined : "the database lacks migrations or can't be reached",
    );
    const ofFeatures = features.flatMap(({ running }) => running.readiness ?? []);
    const speedCheck = cachedFor(READY_KEPT_MS, readReadiness(database));
    return { features, readiness: [speedCheck, databaseCheck, writeReadiness(database, logger), ...ofFeatures] };
  } catch (error) {
    await database.close();
    throw error;
  }
}
