/** GraphQL, enabled by `graphql` in the schema. */
import type { Feature } from '../../http/feature.ts';
import { lazyImport } from '../../base/lazy-import.ts';
import { openServer, serveGraphql } from './serve-graphql.ts';

/** Serves `/graphql`, which is no route of the REST API: permissions are checked for each field instead. */
export const graphql: Feature<{ readonly production: boolean }> = {
  name: 'graphql',
  routes: [],
  async start(host) {
    // Fields of the project's own may not fit into the schema: then the server doesn't start.
    const opened = host.ownFields.length > 0 ? openServer(host) : undefined;
    const open = opened ? () => Promise.resolve(opened) : lazyImport(async () => openServer(host));
    return { mounts: [], middleware: { api: serveGraphql(host, open) } };
  },
};
