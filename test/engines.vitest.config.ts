/** Behind `npm run test:engines`: the tests that run on each database engine, on those that `npm test` leaves out. */
import { readdirSync, readFileSync } from 'node:fs';
import base from './vitest.config.ts';

const ROOTS = ['test', 'src', 'templates/runtime/src'];
const NOT_HERE = /\.long\.test\.ts$|^test\/(?:clients|cluster|projects)\/|^test\/bounded-cost\./u;
const ASKS_ENGINES = /\b(?:testedEngines|isWanted|createDatabase|createIfThere)\(/u;

const tests = ROOTS.flatMap((root) =>
  readdirSync(new URL(`../${root}`, import.meta.url), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${root}/${path.replaceAll('\\', '/')}`,
  ),
).filter(
  (path) =>
    path.endsWith('.test.ts') &&
    !NOT_HERE.test(path) &&
    ASKS_ENGINES.test(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')),
);

export default { ...base, test: { ...base.test, include: tests } };
