/** Reads in releases, of the feature that has them, which is started after the entries are opened. */
import type { ContentTypes } from '../contract/content-type.ts';
import type { InRelease } from '../entries/context.ts';
import type { StartedFeature } from './features.ts';

/** Whether drafts of a type are published at a time. */
export function hasSchedules({ types }: ContentTypes): boolean {
  return Object.values(types).some(({ schedules }) => schedules);
}

/** Undefined if the server has no releases. */
export function lazyReleases(types: ContentTypes, features: () => readonly StartedFeature[]): InRelease | undefined {
  if (!hasSchedules(types)) return undefined;
  return (context, request) =>
    features()
      .find(({ running }) => running.inRelease)
      ?.running.inRelease?.(context, request);
}
