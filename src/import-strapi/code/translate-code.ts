/** Translates a project's own code: from its files to those of `src/extensions/`. */
import { renderCodeReport } from './code-report.ts';
import type { CodeSource, TranslatedCode } from './code-source.ts';
import { addGlobalMiddlewares } from './global-middlewares.ts';
import { isGenerated, type Parsed } from './parsed-file.ts';
import { printValue } from './print-bodies.ts';
import { indexText } from './print-index.ts';
import { modelText } from './print-model.ts';
import { translateAccounts } from './translate-accounts.ts';
import { translateMethods } from './translate-controllers.ts';
import { translateCron } from './translate-cron.ts';
import { carryFrom, translateHelper } from './translate-helpers.ts';
import { translateLifecycles } from './translate-lifecycles.ts';
import { translateRoutes } from './translate-routes.ts';
import { translateStart } from './translate-start.ts';
import { Translation } from './translation.ts';

function translateFile(translation: Translation, file: Parsed): void {
  switch (file.role) {
    case 'controller':
    case 'service':
      return translateMethods(translation, file);
    case 'policy':
    case 'middleware':
      return translation.print(file, (printer) => printValue(printer));
    case 'lifecycles':
      return translateLifecycles(translation, file);
    case 'routes':
      return translateRoutes(translation, file);
    case 'start':
      return translateStart(translation, file);
    case 'cron':
      return translateCron(translation, file);
    case 'users':
      return translateAccounts(translation, file);
    case 'settings':
    case 'plugin':
    case 'test':
    case 'data':
      return;
    default:
      return translateHelper(translation, file);
  }
}

function addIndex(translation: Translation): void {
  const { support, project, names } = translation.source;
  for (const [name, text] of support) {
    if (name !== 'schedule.ts' || [...translation.wiring.imports].some((line) => line.includes('schedule.ts'))) {
      translation.files.set(name, text);
    }
  }
  translation.files.set('model.ts', modelText(project, names));
  translation.files.set('index.ts', indexText(translation.wiring));
  if (translation.packages.size > 0) {
    const modules = [...translation.packages].sort().map((name) => `declare module '${name}';`);
    const comment = '// Delete a line to use the types of the package itself.';
    translation.files.set('packages.d.ts', `${comment}\n${modules.join('\n')}\n`);
  }
}

/** The packages with the versions of the project. */
function installedBy(translation: Translation): readonly string[] {
  const packages = [...translation.packages].map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  return [...new Set(packages)].sort().map((name) => {
    const version = translation.source.dependencies[name];
    return typeof version === 'string' ? `${name}@${version}` : name;
  });
}

function translateOwn(translation: Translation, file: Parsed): void {
  if (file.role === 'plugin') translation.leave(file, 'left', 'local plugins are not translated');
  else if (isGenerated(file)) translation.leave(file, 'generated');
  else translateFile(translation, file);
}

export function translateCode(source: CodeSource): TranslatedCode {
  const translation = new Translation(source);
  const { context, parsed, carried, files, reports, decisions } = translation;
  const all = [...parsed.values()];
  const own = all.filter(({ role }) => role !== 'helper' && role !== 'test' && role !== 'settings');
  for (const file of own) translateOwn(translation, file);
  const written = own.filter(({ path }) => context.modules.get(path) !== undefined);
  carryFrom(
    translation,
    written.map(({ path }) => path),
  );
  for (const file of all) {
    if (file.role === 'helper' && !carried.has(file.path)) {
      translation.leave(file, 'left', 'no translated file imports it');
    }
  }
  addGlobalMiddlewares(translation);
  if (files.size > 0) addIndex(translation);
  const sorted = reports.sort((a, b) => (a.file < b.file ? -1 : 1));
  return { files, report: sorted, text: renderCodeReport(sorted, decisions, installedBy(translation)) };
}
