/** Conversion of names to other spellings, independent of the system locale. */
import { createHash } from 'node:crypto';
import { shortenedName } from '#contract/stored-names.ts';
import * as changeCase from 'change-case';
import pluralize from 'pluralize';
import type { CodeNames } from './content-model.ts';
import { isReservedIdentifier } from './reserved-names.ts';

/** Without this, `change-case` would use the system locale: in Turkish, `I` becomes a dotless `ı`. */
const anyLanguage = { locale: false } as const;

/** `workItem`, `work-item` → `work_item` */
export function snakeCase(name: string): string {
  return changeCase.snakeCase(name, anyLanguage);
}

/** `workItem`, `work_item` → `work-item` */
export function kebabCase(name: string): string {
  return changeCase.kebabCase(name, anyLanguage);
}

/** `work-item`, `shared.seo` → `WorkItem`, `SharedSeo` */
export function pascalCase(name: string): string {
  return changeCase.pascalCase(name, anyLanguage);
}

/** `work-item`, `shared.seo` → `workItem`, `sharedSeo` */
export function camelCase(name: string): string {
  return changeCase.camelCase(name, anyLanguage);
}

/** The English plural of the last word: `work-item` → `work-items`. */
export function pluralOf(name: string): string {
  const start = name.lastIndexOf('-') + 1;
  return name.slice(0, start) + pluralize.plural(name.slice(start));
}

/** Converted names never end in an underscore, so appending one can't cause a clash. */
function identifier(name: string): string {
  return isReservedIdentifier(name) ? `${name}_` : name;
}

/** The names of a type or component in generated code. Reserved words get a trailing underscore: `class_`. */
export function codeNames(uid: string): CodeNames {
  return { pascal: identifier(pascalCase(uid)), camel: identifier(camelCase(uid)) };
}

/**
 * `name` itself if it has at most `maxBytes` bytes of UTF-8; otherwise its beginning and a hash of the whole name.
 * Depends on nothing but the name, so that other names can't change it.
 */
export function shorten(name: string, maxBytes: number): string {
  return shortenedName(name, maxBytes, (text) => createHash('sha256').update(text).digest('hex'));
}
