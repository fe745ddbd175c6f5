/** The schema language as Markdown tables, for `docs/schema-language.md` and `content-gen schema`. */
import { adminOptions, adminViewOptions } from './admin-options.ts';
import { adminFieldOptions, commonOptions, ownOptions } from './attribute-options.ts';
import { cacheTagOptions, purgeOptions } from './cache-tag-options.ts';
import { costsOptions } from './costs-options.ts';
import { graphqlOptions } from './graphql-options.ts';
import { attributeTypes } from './keywords.ts';
import { type Keywords, shapeOf } from './option.ts';
import { apiOptions, rootOptions } from './root-options.ts';
import { componentOptions, contentTypeOptions } from './type-options.ts';
import { imageSizeOptions, uploadOptions } from './upload-options.ts';
import { viewOptions } from './views-option.ts';
import { webhookOptions } from './webhook-options.ts';

function rowsOf(options: Keywords): readonly string[] {
  return Object.entries(options).map(
    ([name, entry]) => `| \`${name}\` | ${shapeOf(entry)?.written ?? 'map'} | ${entry.description} |`,
  );
}

function tableOf(rows: Iterable<string>): string {
  return ['| key | value | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function table(options: Keywords): string {
  return tableOf(rowsOf(options));
}

/** The attribute types with the options that not all types have; types with the same options share a row. */
function typeTable(): string {
  const byOptions = new Map<string, string[]>();
  for (const type of attributeTypes) {
    const options = Object.keys(ownOptions(type))
      .map((name) => `\`${name}\``)
      .join(' ');
    byOptions.set(options, [...(byOptions.get(options) ?? []), `\`${type}\``]);
  }
  const rows = [...byOptions].map(([options, types]) => `| ${types.join(' ')} | ${options === '' ? '–' : options} |`);
  return ['| type | options |', '| --- | --- |', ...rows].join('\n');
}

/** All attribute options. Those with another meaning for other types, such as `min`, have a row for each. */
function attributeTable(): string {
  const { type: _type, ...common } = commonOptions;
  return tableOf(new Set([common, ...attributeTypes.map(ownOptions)].flatMap(rowsOf)));
}

export function renderReference(): string {
  const sections: readonly (readonly [string, string])[] = [
    ['The schema', table(rootOptions)],
    ['`api`', table(apiOptions)],
    ['`graphql`', table(graphqlOptions)],
    ['`costs`', table(costsOptions)],
    ['`admin`', table(adminOptions)],
    ['An item of `webhooks`', table(webhookOptions)],
    ['`cacheTags`', table(cacheTagOptions)],
    ['An item of `purge`', table(purgeOptions)],
    ['`uploads`', table(uploadOptions)],
    ['A size of images', table(imageSizeOptions)],
    ['A content type', table(contentTypeOptions)],
    ['`admin` of a content type', table(adminViewOptions)],
    ['An item of `views`', table(viewOptions)],
    ['A component', table(componentOptions)],
    ['Attribute types', typeTable()],
    ['Attribute options', attributeTable()],
    ['`admin` of an attribute', table(adminFieldOptions)],
  ];
  return sections.map(([title, text]) => `### ${title}\n\n${text}\n`).join('\n');
}
