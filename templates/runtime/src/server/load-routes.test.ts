import { pino } from 'pino';
import { expect, it } from 'vitest';
import { definition } from '../../test-support/projects/newspaper/src/generated/app.ts';
import { loadedOnce, loadRoutes } from './load-routes.ts';

/** The project with modules that record when they are loaded; the module of `broken` can't be loaded. */
function watched(broken?: string) {
  const loaded: string[] = [];
  const routes = Object.entries(definition.routes).map(([uid, load]) => {
    const noting: typeof load = async () => {
      loaded.push(uid);
      if (uid === broken) throw new Error('no such file');
      return load();
    };
    return [uid, noting] as const;
  });
  const logged: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  return { loaded, logged, logger, project: loadedOnce({ ...definition, routes: Object.fromEntries(routes) }) };
}

const uids = Object.keys(definition.routes);
const never = (): boolean => false;

it('loads the code of each type once, whatever needs it', async () => {
  const { loaded, logged, logger, project } = watched();
  await Promise.all([project.routes['article']?.(), loadRoutes(project, logger, never)]);
  await loadRoutes(project, logger, never);
  expect(loaded.toSorted()).toStrictEqual(uids.toSorted());
  expect(logged).toStrictEqual([]);
});

it('stops at the first failure, which is logged, and tried again on the next use', async () => {
  const [first = '', second = ''] = uids;
  const { loaded, logged, logger, project } = watched(second);
  await loadRoutes(project, logger, never);
  expect(loaded).toStrictEqual([first, second]);
  expect(logged).toMatchObject([{ type: second, msg: 'could not load the routes of a content type' }]);
  await expect(project.routes[second]?.()).rejects.toThrow();
  expect(loaded).toStrictEqual([first, second, second]);
});

it('stops when the server stops', async () => {
  const { loaded, logger, project } = watched();
  await loadRoutes(project, logger, () => loaded.length > 0);
  expect(loaded).toHaveLength(1);
});
