/** GraphQL, enabled by `graphql` in the schema. */
import type { Feature } from '../../http/feature.ts';
import { serveGraphql } from './serve-graphql.ts';

/** Serves `/graphql`, which is no route of the REST API: permissions are checked for each field instead. */
export const graphql: Feature<{ readonly production: boolean }> = {
  name: 'graphql',
  routes: [],
  start: async (host) => ({ mounts: [], middleware: { api: serveGraphql(host) } }),
};
