/** Tools for agents (Model Context Protocol), enabled by `mcp: true` in the schema. */
import type { Feature } from '../../http/feature.ts';
import { serveTools } from './serve-tools.ts';

/** Serves `/mcp`, which is not an API route: permissions are checked for each tool instead. */
export const mcp: Feature<unknown> = {
  name: 'mcp',
  routes: [],
  start: async (host) => ({ mounts: [], middleware: { api: serveTools(host) } }),
};
