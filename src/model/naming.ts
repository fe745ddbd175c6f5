/** Names and their spellings. Nothing here depends on the machine's language. */
import { createHash } from 'node:crypto';
import { shortenedName } from '#contract/stored-names.ts';
import * as changeCase from 'change-case';
import pluralize from 'pluralize';
import type { CodeNames } from './content-model.ts';
import { isReservedIdentifier } from './reserved-names.ts';

/** Without it, `change-case` lowers by the rules of the machine's language: `I` to a dotless `ı` in Turkish. */
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

/** No converted name ends in an underscore, so that a name made safe by one can't be another's. */
function identifier(name: string): string {
  return isReservedIdentifier(name) ? `${name}_` : name;
}

/** The names of a type or component in generated code. A word that can't be a name there gets an underscore: `class_`. */
export function codeNames(uid: string): CodeNames {
  return { pascal: identifier(pascalCase(uid)), camel: identifier(camelCase(uid)) };
}

/**
 * `name` itself where it has at most `maxBytes` bytes of UTF-8; else its beginning and a hash of all of it. It depends on
 * nothing but the name, so that no other name can change it.
 */
export function shorten(name: string, maxBytes: number): string {
  return shortenedName(name, maxBytes, (text) => createHash('sha256').update(text).digest('hex'));
}
