/** Words of other tools and of other versions of this language, and what is written here instead. Only for hints. */
import { relationKinds } from '#contract/content-type.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import { attributeTypes } from './keywords.ts';
import type { YamlNode } from './yaml-node.ts';

type Words = ReadonlyMap<string, string>;

function wordsOf(words: Readonly<Record<string, string>>): Words {
  return new Map(Object.entries(words).flatMap(([meant, others]) => others.split(' ').map((word) => [word, meant])));
}

/** Names of types elsewhere, in lower case → ours. */
const typeWords: Words = wordsOf({
  string: 'str varchar char shorttext',
  text: 'longtext multiline textarea',
  richtext: 'markdown html',
  integer: 'int int4 smallint number',
  biginteger: 'bigint int8 long',
  float: 'double real',
  decimal: 'numeric money currency',
  boolean: 'bool checkbox switch',
  enumeration: 'enum select choice',
  datetime: 'timestamptz instant date-time',
  json: 'object array jsonb map',
  media: 'image images file files upload asset video picture',
  uid: 'slug',
  relation: 'reference ref link',
});

/** Names of databases elsewhere, in lower case → our dialects. */
const dialectWords: Words = wordsOf({
  mysql: 'mariadb maria mysql2 percona',
  postgres: 'postgresql pg pgsql cockroach',
  sqlite: 'sqlite3 better-sqlite3 file',
});

/** Names of options elsewhere, in lower case → ours, those first that fit the most types. */
const optionWords: Readonly<Record<string, readonly string[]>> = {
  length: ['maxLength'],
  size: ['maxLength'],
  max: ['maxLength'],
  min: ['minLength'],
  pattern: ['regex'],
  match: ['regex'],
  values: ['enum'],
  options: ['enum'],
  choices: ['enum'],
  items: ['enum', 'components'],
  from: ['targetField'],
  source: ['targetField'],
  to: ['target'],
  ref: ['target'],
  references: ['target'],
  model: ['target'],
  inverse: ['inversedBy', 'mappedBy'],
  kind: ['relation'],
  array: ['repeatable', 'multiple'],
  list: ['repeatable', 'multiple'],
  many: ['repeatable', 'multiple'],
  comment: ['description'],
  defaultvalue: ['default'],
  hidden: ['private'],
  readonly: ['writable'],
  editable: ['writable'],
  i18n: ['localized'],
  translatable: ['localized'],
};

/** What a word stands for that is no dialect, as a hint. */
export function dialectHint(word: string): string | undefined {
  const dialect = dialectWords.get(word.toLowerCase());
  return (
    dialect && (dialect === 'mysql' ? 'write `mysql`: MySQL and MariaDB share it' : `did you mean \`${dialect}\`?`)
  );
}

/** What a word stands for that is no type of attributes, as a hint. */
export function typeHint(word: string): string | undefined {
  if (relationKinds.some((kind) => kind === word)) return `write type: relation, relation: ${word}`;
  const type = typeWords.get(word.toLowerCase());
  return type && `did you mean \`${type}\`?`;
}

/** What a word stands for that is no option of an attribute which has `options`, as a hint. */
export function optionHint(word: string, options: readonly string[]): string | undefined {
  const key = word.toLowerCase();
  const words = Object.hasOwn(optionWords, key) ? optionWords[key] : undefined;
  const meant = words?.find((option) => options.includes(option));
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  if (key === 'index') {
    return 'long texts and JSON have no order that is kept: `search` of the type finds words in texts';
  }
  return ['nullable', 'null', 'optional', 'notnull', 'allownull'].includes(key)
    ? 'an attribute can be empty unless it says required: true'
    : undefined;
}

/** `type:string`, where YAML reads one word: what was meant, as a hint. */
export function missingSpaceHint(key: string): string | undefined {
  const [, name, value] = /^([A-Za-z]\w{0,60}):(\S.*)$/u.exec(key) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return `a space is missing after the colon: ${name}: ${quoted(value).slice(1, -1)}`;
}

/** The value under a key of a map. */
function valueAt(node: YamlNode | undefined, key: string): YamlNode | undefined {
  if (node?.kind !== 'map') return undefined;
  return node.entries.find((entry) => entry.key.kind === 'scalar' && entry.key.value === key)?.value;
}

/** `key: value`, where the value is a word, a number or `true`; undefined for any other. */
function optionLine(name: string, node: YamlNode | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.value === null || node.value === '') return undefined;
  const isPlain = typeof node.value !== 'string' || /^[A-Za-z_][\w./-]*(?: [\w./-]+)*$/.test(node.value);
  return `${name}: ${isPlain ? node.source : quoted(node.source)}`;
}

/** What Strapi's schema files say beside `attributes`, or in an attribute: what is written here in its place. */
export function strapiHint(
  owner: 'contentType' | 'component' | 'attribute',
  key: string,
  value: YamlNode,
): string | undefined {
  const isType = owner === 'contentType';
  const lines = ((): readonly (string | undefined)[] | undefined => {
    switch (key) {
      case 'info':
        if (owner === 'attribute') return undefined;
        return [
          isType ? optionLine('pluralName', valueAt(value, 'pluralName')) : undefined,
          optionLine('displayName', valueAt(value, 'displayName')),
          optionLine('description', valueAt(value, 'description')),
        ];
      case 'options':
        if (owner === 'attribute') return undefined;
        return [isType ? optionLine('draftAndPublish', valueAt(value, 'draftAndPublish')) : undefined];
      case 'collectionName':
        if (owner === 'attribute') return undefined;
        return [isType ? optionLine('tableName', value) : undefined];
      case 'pluginOptions':
        if (owner === 'component') return [];
        return [optionLine('localized', valueAt(valueAt(value, 'i18n'), 'localized'))];
      case 'configurable':
      case 'modelType':
      case 'uid':
      case 'singularName':
        return [];
      default:
        return undefined;
    }
  })();
  if (lines === undefined) return undefined;
  const written = lines.filter((line) => line !== undefined);
  return written.length === 0 ? 'leave it out' : `write in its place:\n${written.join('\n')}`;
}

/** A name that can stand in an example. */
function exampleName(node: YamlNode | undefined, otherwise: string): string {
  const name = node?.kind === 'scalar' ? node.source : '';
  return /^[A-Za-z][\w-]{0,60}$/.test(name) ? name : otherwise;
}

const COMPLETIONS: Readonly<Record<string, string>> = {
  relation: 'relation, relation: manyToOne, target: article',
  component: 'component, component: shared.seo',
  dynamiczone: 'dynamiczone, components: [shared.seo]',
  enumeration: 'enumeration, enum: [one, two]',
};

/** The options of an attribute of which only a word is known. */
function attributeExample(word: string): string {
  if (relationKinds.some((kind) => kind === word)) return `{ type: relation, relation: ${word}, target: article }`;
  const type = attributeTypes.find((known) => known === word) ?? typeWords.get(word.toLowerCase()) ?? 'string';
  return `{ type: ${COMPLETIONS[type] ?? type} }`;
}

/** How an attribute is written that is something else than a map: `title: string`. */
export function attributeHint(name: string, node: YamlNode): string {
  const key = /^[A-Za-z]\w{0,60}$/.test(name) ? name : 'title';
  const word = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  return missingSpaceHint(name) ?? `an attribute is a map: write ${key}: ${attributeExample(word)}`;
}

/** An item of a list of attributes as it is written in a map. */
function itemLine(item: YamlNode): string {
  if (item.kind !== 'map') return `${exampleName(item, 'title')}: { type: string }`;
  const options = item.entries.flatMap(({ key, value }) => {
    const name = exampleName(key, '');
    return name === '' || name === 'name' ? [] : (optionLine(name, value) ?? []);
  });
  return `${exampleName(valueAt(item, 'name'), 'title')}: { ${options.length === 0 ? 'type: string' : options.join(', ')} }`;
}

const MOST_ITEMS = 3;

/** How attributes are written that are something else than a map: a list of `- name: title`. */
export function attributesHint(node: YamlNode): string {
  const glued = node.kind === 'scalar' ? missingSpaceHint(node.source) : undefined;
  if (glued !== undefined) return glued;
  const items = node.kind === 'list' && node.items.length > 0 ? node.items.slice(0, MOST_ITEMS).map(itemLine) : [];
  const lines = items.length === 0 ? ['title: { type: string }'] : items;
  return `attributes are written by name, without dashes:\n${lines.join('\n')}`;
}

/** How a content type or component is written that is something else than a map. */
export function ownerHint(name: string): string {
  const key = /^[\w.-]{1,60}$/.test(name) ? name : 'article';
  return `such as ${key}: { attributes: { title: { type: string } } }`;
}

/** How the map of all content types or components is written where it is something else. */
export function ownersHint(key: string, node: YamlNode): string {
  const first = node.kind === 'list' ? node.items[0] : undefined;
  const example = key === 'components' ? 'shared.seo' : 'article';
  const name = exampleName(first?.kind === 'map' ? valueAt(first, 'name') : first, example);
  const uid = key === 'components' && !name.includes('.') ? `shared.${name}` : name;
  return `they are written by name, without dashes: ${uid}: { attributes: { title: { type: string } } }`;
}
