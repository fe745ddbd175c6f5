/** Maps words of other tools and of earlier versions of this language to ours. Used only for hints. */
import { relationKinds } from '#contract/content-type.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import { attributeTypes } from './keywords.ts';
import type { YamlNode } from './yaml-node.ts';

type Words = ReadonlyMap<string, string>;

function wordsOf(words: Readonly<Record<string, string>>): Words {
  return new Map(Object.entries(words).flatMap(([meant, others]) => others.split(' ').map((word) => [word, meant])));
}

/** Type names used elsewhere, in lower case → ours. */
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

/** Database names used elsewhere, in lower case → our dialects. */
const dialectWords: Words = wordsOf({
  mysql: 'mariadb maria mysql2 percona',
  postgres: 'postgresql pg pgsql cockroach',
  sqlite: 'sqlite3 better-sqlite3 file',
});

/** Option names used elsewhere, in lower case → ours, those that fit the most types first. */
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
  label: ['displayName'],
  title: ['displayName'],
  comment: ['description'],
  defaultvalue: ['default'],
  hidden: ['private'],
  readonly: ['writable'],
  editable: ['writable'],
  i18n: ['localized'],
  translatable: ['localized'],
};

/** A hint for a word that is not a dialect. */
export function dialectHint(word: string): string | undefined {
  const dialect = dialectWords.get(word.toLowerCase());
  return (
    dialect && (dialect === 'mysql' ? 'use `mysql`, which covers MySQL and MariaDB' : `did you mean \`${dialect}\`?`)
  );
}

/** A hint for a word that is not an attribute type. */
export function typeHint(word: string): string | undefined {
  if (relationKinds.some((kind) => kind === word)) return `write type: relation, relation: ${word}`;
  const type = typeWords.get(word.toLowerCase());
  return type && `did you mean \`${type}\`?`;
}

/** A hint for a word that is not among the `options` of an attribute. */
export function optionHint(word: string, options: readonly string[]): string | undefined {
  const key = word.toLowerCase();
  const words = Object.hasOwn(optionWords, key) ? optionWords[key] : undefined;
  const meant = words?.find((option) => options.includes(option));
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  if (key === 'index') {
    return "values of this type can't be indexed; to find words in texts, use `search` of the type";
  }
  return ['nullable', 'null', 'optional', 'notnull', 'allownull'].includes(key)
    ? 'attributes are optional unless they have required: true'
    : undefined;
}

/** A hint for `type:string`, which YAML parses as a single word. */
export function missingSpaceHint(key: string): string | undefined {
  const [, name, value] = /^([A-Za-z]\w{0,60}):(\S.*)$/u.exec(key) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return `add a space after the colon: ${name}: ${quoted(value).slice(1, -1)}`;
}

/** The value under a key of a map. */
function valueAt(node: YamlNode | undefined, key: string): YamlNode | undefined {
  if (node?.kind !== 'map') return undefined;
  return node.entries.find((entry) => entry.key.kind === 'scalar' && entry.key.value === key)?.value;
}

/** `key: value` if the value is a non-empty scalar; undefined otherwise. */
function optionLine(name: string, node: YamlNode | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.value === null || node.value === '') return undefined;
  const isPlain = typeof node.value !== 'string' || /^[A-Za-z_][\w./-]*(?: [\w./-]+)*$/.test(node.value);
  return `${name}: ${isPlain ? node.source : quoted(node.source)}`;
}

/** A hint for keys of Strapi's schema files, next to `attributes` or in an attribute: how to write the same here. */
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
  return written.length === 0 ? 'remove it' : `replace it by:\n${written.join('\n')}`;
}

/** The name in a node if it can be used in an example, or else `otherwise`. */
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

/** Example options of an attribute, given a single word. */
function attributeExample(word: string): string {
  if (relationKinds.some((kind) => kind === word)) return `{ type: relation, relation: ${word}, target: article }`;
  const type = attributeTypes.find((known) => known === word) ?? typeWords.get(word.toLowerCase()) ?? 'string';
  return `{ type: ${COMPLETIONS[type] ?? type} }`;
}

/** A hint for an attribute that is not a map: `title: string`. */
export function attributeHint(name: string, node: YamlNode): string {
  const key = /^[A-Za-z]\w{0,60}$/.test(name) ? name : 'title';
  const word = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  return missingSpaceHint(name) ?? `an attribute must be a map: ${key}: ${attributeExample(word)}`;
}

/** An item of a list of attributes, rewritten as an entry of a map. */
function itemLine(item: YamlNode): string {
  if (item.kind !== 'map') return `${exampleName(item, 'title')}: { type: string }`;
  const options = item.entries.flatMap(({ key, value }) => {
    const name = exampleName(key, '');
    return name === '' || name === 'name' ? [] : (optionLine(name, value) ?? []);
  });
  return `${exampleName(valueAt(item, 'name'), 'title')}: { ${options.length === 0 ? 'type: string' : options.join(', ')} }`;
}

const MAX_ITEMS = 3;

/** A hint for attributes that are not a map: a list of `- name: title`. */
export function attributesHint(node: YamlNode): string {
  const glued = node.kind === 'scalar' ? missingSpaceHint(node.source) : undefined;
  if (glued !== undefined) return glued;
  const items = node.kind === 'list' && node.items.length > 0 ? node.items.slice(0, MAX_ITEMS).map(itemLine) : [];
  const lines = items.length === 0 ? ['title: { type: string }'] : items;
  return `write attributes as a map by name, without dashes:\n${lines.join('\n')}`;
}

/** A hint for a content type or component that is not a map. */
export function ownerHint(name: string): string {
  const key = /^[\w.-]{1,60}$/.test(name) ? name : 'article';
  return `for example ${key}: { attributes: { title: { type: string } } }`;
}

/** A hint for `contentTypes` or `components` that are not a map. */
export function ownersHint(key: string, node: YamlNode): string {
  const first = node.kind === 'list' ? node.items[0] : undefined;
  const example = key === 'components' ? 'shared.seo' : 'article';
  const name = exampleName(first?.kind === 'map' ? valueAt(first, 'name') : first, example);
  const uid = key === 'components' && !name.includes('.') ? `shared.${name}` : name;
  return `write a map by name, without dashes: ${uid}: { attributes: { title: { type: string } } }`;
}
