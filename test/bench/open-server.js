// The services of a generated server in this process, which accepts no requests. Imports nothing else, so that the memory of a
// process that measures them is theirs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export async function openServer(project, env) {
  const load = (path) => import(pathToFileURL(join(project, path)).href);
  const { createServer, readSettings } = await load('runtime/lib/index.js');
  const { definition } = await load('dist/generated/app.js');
  return createServer(definition, { settings: readSettings('many', env) });
}
