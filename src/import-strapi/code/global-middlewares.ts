/** The middleware of a project that wraps every request. */
import { targetOf } from './classify.ts';
import { functionIn } from './module-shape.ts';
import type { Translation } from './translation.ts';

/** `config/middlewares`: those of the project, which wrap every request. */
export function addGlobalMiddlewares(translation: Translation): void {
  const settings = [...translation.parsed.values()].find(({ path }) => /^config\/middlewares?\.\w+$/u.test(path));
  const names = [...(settings?.source.text.matchAll(/['"](?<uid>global::[\w./-]+)['"]/gu) ?? [])];
  for (const uid of new Set(names.map(({ groups }) => groups?.['uid'] ?? ''))) {
    const path = translation.guard('middleware', uid, '');
    if (path === undefined) continue;
    const name = uid
      .replace('global::', '')
      .replaceAll(/[^\w$]+(.)?/gu, (_all, next: string | undefined) => (next ?? '').toUpperCase());
    translation.wiring.imports.add(`import ${name}Middleware from './${path}';`);
    translation.wiring.used.add('everyRequest').add('started');
    const file = [...translation.parsed.values()].find(
      (one) => one.role === 'middleware' && targetOf(one.path) === path,
    );
    const given = functionIn(file?.shape.value)?.parameters.length === 0 ? '' : '{}';
    translation.wiring.middleware.push(`everyRequest(${name}Middleware(${given}))`);
    translation.decisions.push(`${uid} runs around every request: check its settings, which are in config/middlewares`);
  }
  if (translation.wiring.middleware.length > 0) translation.wiring.onStart.unshift('started(services);');
}
