import { pino } from 'pino';
import { expect, it } from 'vitest';
import { definition } from '../../test-support/projects/newspaper/src/generated/app.ts';
import { loadedOnce, loadModules } from './type-modules.ts';

/** The project with modules that record when they are loaded; the module of `broken` can't be loaded. */
function watched(broken?: string) {
  const loaded: string[] = [];
  const modules = Object.entries(definition.modules).map(([uid, load]) => {
    const noting: typeof load = async () => {
      loaded.push(uid);
      if (uid === broken) throw new Error('no such file');
      return load();
    };
    return [uid, noting] as const;
  });
  const logged: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  return { loaded, logged, logger, project: loadedOnce({ ...definition, modules: Object.fromEntries(modules) }) };
}

const uids = Object.keys(definition.modules);
const never = (): boolean => false;

it('loads the code of each type once, whatever needs it', async () => {
  const { loaded, logged, logger, project } = watched();
  await Promise.all([project.modules['article']?.(), loadModules(project, logger, never)]);
  await loadModules(project, logger, never);
  expect(loaded.toSorted()).toStrictEqual(uids.toSorted());
  expect(logged).toStrictEqual([]);
});

it('stops at the first failure, which is logged, and tried again on the next use', async () => {
  const [first = '', second = ''] = uids;
  const { loaded, logged, logger, project } = watched(second);
  await loadModules(project, logger, never);
  expect(loaded).toStrictEqual([first, second]);
  expect(logged).toMatchObject([{ type: second, msg: 'could not load the code of a content type' }]);
  await expect(project.modules[second]?.()).rejects.toThrow();
  expect(loaded).toStrictEqual([first, second, second]);
});

it('stops when the server stops', async () => {
  const { loaded, logger, project } = watched();
  await loadModules(project, logger, () => loaded.length > 0);
  expect(loaded).toHaveLength(1);
});
