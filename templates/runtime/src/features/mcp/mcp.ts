/** Tools for agents (Model Context Protocol), of servers whose schema says `mcp: true`. */
import type { Feature } from '../../http/feature.ts';
import { serveTools } from './serve-tools.ts';

/** It has one path that is no route of the API: what it answers depends on the tools, which have the permissions of routes. */
export const mcp: Feature<unknown> = {
  name: 'mcp',
  routes: [],
  start: async (host) => ({ mounts: [], middleware: { api: serveTools(host) } }),
};
