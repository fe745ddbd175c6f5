/** Settings of cache tags. */
import { matching, optional, type ValuesOf } from '../../base/environment.ts';

export interface CacheTagSettings {
  /** The header with the tags of an answer; undefined: those that the caches of the schema read. */
  readonly header: string | undefined;
}

/** The environment variables of these settings. */
export const cacheTagVariables = {
  CACHE_TAG_HEADER: optional(matching(/^[A-Za-z][A-Za-z0-9-]{0,63}$/u, 'must be the name of a header')),
};

/** The settings as given by the variables. */
export function cacheTagSettings(data: ValuesOf<typeof cacheTagVariables>): CacheTagSettings {
  return { header: data.CACHE_TAG_HEADER };
}
