/** Project settings: name, databases, locales, and API limits. */
import { type ApiLimit, apiLimits, type ApiSettings, defaultApiSettings } from '#contract/api-settings.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { ApiDefinition, Located, SchemaDefinition } from '../schema/definition.ts';
import { projectNamePattern } from '../schema/name-patterns.ts';
import type { Dialect } from './content-model.ts';

type LimitWithDefault = Exclude<ApiLimit, 'maxCount' | 'maxAnswerEntries' | 'maxAnswerSize'>;

/** The npm name of the project. */
export function resolveName(report: Report, { name }: SchemaDefinition): string {
  if (projectNamePattern.test(name.value) && name.value !== 'node_modules' && name.value !== 'favicon.ico') {
    return name.value;
  }
  reportError(report, {
    code: 'project/name',
    message: `${named(name.value)} is not a valid name for the project`,
    location: name.location,
    hint: 'use lower-case letters, digits, `-`, `_` and `.`, for example name: blog',
  });
  return '';
}

/** Reports duplicate items. Items with the same `keyOf` are duplicates. */
function checkUnique(
  report: Report,
  code: 'project/databases' | 'project/locales',
  items: readonly Located<string>[],
  keyOf: (value: string) => string,
): void {
  const seen = new Map<string, Located<string>>();
  for (const item of items) {
    const first = seen.get(keyOf(item.value));
    if (first === undefined) seen.set(keyOf(item.value), item);
    else {
      const related = [{ message: 'it first occurs here', location: first.location }];
      reportError(report, { code, message: `${quoted(item.value)} occurs twice`, location: item.location, related });
    }
  }
}

/** The engines for which migrations are written. */
export function resolveDatabases(report: Report, { databases }: SchemaDefinition): readonly Dialect[] {
  if (databases === undefined) return ['sqlite', 'postgres'];
  if (databases.value.length === 0) {
    const message = '`databases` is empty, expected at least one database';
    reportError(report, {
      code: 'project/databases',
      message,
      location: databases.location,
      hint: 'for example databases: [sqlite, postgres]',
    });
  }
  checkUnique(report, 'project/databases', databases.value, (value) => value);
  return databases.value.map((database) => database.value);
}

function isLocale(tag: string): boolean {
  try {
    return tag.length <= 35 && new Intl.Locale(tag).toString() !== '';
  } catch {
    return false;
  }
}

/** The locales, the default one first. */
export function resolveLocales(report: Report, { locales }: SchemaDefinition): readonly string[] {
  if (locales === undefined) return ['en'];
  if (locales.value.length === 0) {
    const message = '`locales` is empty, expected at least one locale';
    reportError(report, {
      code: 'project/locales',
      message,
      location: locales.location,
      hint: 'for example locales: [en]',
    });
  }
  for (const { value, location } of locales.value) {
    if (isLocale(value)) continue;
    const message = `${quoted(value)} is not a valid locale`;
    reportError(report, {
      code: 'project/locales',
      message,
      location,
      hint: 'use a BCP 47 language tag, such as en or fr-FR',
    });
  }
  checkUnique(report, 'project/locales', locales.value, (value) => value.toLowerCase());
  return locales.value.map((locale) => locale.value);
}

function writtenLimit(report: Report, api: ApiDefinition, name: ApiLimit): number | undefined {
  const written = api[name];
  if (written === undefined) return undefined;
  const [least, most] = apiLimits[name];
  if (written.value < least || written.value > most) {
    const message = `\`${name}\` is ${written.value}, expected a number from ${least} to ${most}`;
    reportError(report, { code: 'project/api', message, location: written.location });
  }
  return written.value;
}

function resolveLimit(report: Report, api: ApiDefinition, name: LimitWithDefault): number {
  return writtenLimit(report, api, name) ?? defaultApiSettings[name];
}

/**
 * Reports response limits that are too low for what may be requested: a full page, or an entry as large as the body
 * limit allows.
 */
function checkAnswerLimits(report: Report, api: ApiDefinition, settings: ApiSettings): void {
  const pairs = [
    ['maxAnswerEntries', 'maxPageSize'],
    ['maxAnswerSize', 'bodyLimit'],
  ] as const;
  for (const [limit, least] of pairs) {
    const written = api[limit];
    if (written === undefined || settings[limit] >= settings[least]) continue;
    const message = `\`${limit}\` (${settings[limit]}) is less than \`${least}\` (${settings[least]})`;
    const hint = `increase ${limit}, or reduce ${least}; a response must be able to contain that much`;
    reportError(report, { code: 'project/api', message, location: written.location, hint });
  }
}

/** The API settings, with defaults for absent ones. */
export function resolveApi(report: Report, { api }: SchemaDefinition): ApiSettings {
  const maxPageSize = resolveLimit(report, api, 'maxPageSize');
  const written = resolveLimit(report, api, 'defaultPageSize');
  const defaultPageSize = api.defaultPageSize === undefined ? Math.min(written, maxPageSize) : written;
  if (api.defaultPageSize !== undefined && defaultPageSize > maxPageSize) {
    reportError(report, {
      code: 'project/api',
      message: `\`defaultPageSize\` (${defaultPageSize}) is greater than \`maxPageSize\` (${maxPageSize})`,
      location: api.defaultPageSize.location,
    });
  }
  const maxCount = writtenLimit(report, api, 'maxCount');
  const bodyLimit = resolveLimit(report, api, 'bodyLimit');
  const settings: ApiSettings = {
    ...(api.format && { format: api.format.value }),
    ...(api.entryMeta?.value === 'localized' && { entryMeta: 'localized' as const }),
    unknownAttributes: api.unknownAttributes?.value ?? defaultApiSettings.unknownAttributes,
    ...(api.requireIfMatch?.value && { requireIfMatch: true as const }),
    defaultPageSize,
    maxPageSize,
    ...(maxCount !== undefined && { maxCount }),
    maxPopulateDepth: resolveLimit(report, api, 'maxPopulateDepth'),
    maxPopulatedPaths: resolveLimit(report, api, 'maxPopulatedPaths'),
    bodyLimit,
    maxAnswerEntries:
      writtenLimit(report, api, 'maxAnswerEntries') ?? Math.max(defaultApiSettings.maxAnswerEntries, maxPageSize),
    maxAnswerSize: writtenLimit(report, api, 'maxAnswerSize') ?? Math.max(defaultApiSettings.maxAnswerSize, bodyLimit),
  };
  checkAnswerLimits(report, api, settings);
  return settings;
}
