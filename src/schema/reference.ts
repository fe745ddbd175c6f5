/** The schema language as Markdown tables, for `docs/schema-language.md` and `content-gen schema`. */
import { adminOptions, adminViewOptions } from './admin-options.ts';
import { commonOptions, ownOptions } from './attribute-options.ts';
import { attributeTypes } from './keywords.ts';
import { type Keywords, shapeOf } from './option.ts';
import { apiOptions, rootOptions } from './root-options.ts';
import { componentOptions, contentTypeOptions } from './type-options.ts';

function table(options: Keywords): string {
  const rows = Object.entries(options).map(
    ([name, entry]) => `| \`${name}\` | ${shapeOf(entry)?.written ?? 'map'} | ${entry.description} |`,
  );
  return ['| key | value | meaning |', '| --- | --- | --- |', ...rows].join('\n');
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

/** All attribute options, each once. */
function allOwnOptions(): Keywords {
  const { type: _type, ...common } = commonOptions;
  return Object.assign({ ...common }, ...attributeTypes.map(ownOptions)) as Keywords;
}

export function renderReference(): string {
  const sections: readonly (readonly [string, string])[] = [
    ['The schema', table(rootOptions)],
    ['`api`', table(apiOptions)],
    ['`admin`', table(adminOptions)],
    ['A content type', table(contentTypeOptions)],
    ['`admin` of a content type', table(adminViewOptions)],
    ['A component', table(componentOptions)],
    ['Attribute types', typeTable()],
    ['Attribute options', table(allOwnOptions())],
  ];
  return sections.map(([title, text]) => `### ${title}\n\n${text}\n`).join('\n');
}
