/** The admin panel: whether there is one, and how it shows the entries of a type. */
import type { AdminSettings } from '#contract/admin.ts';
import type { AdminView } from '#contract/content-type.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** A scheme, a host without placeholders, and an optional rest. */
const PREVIEW_URL = /^https?:\/\/[^\s/?#{}]+(?:[/?#]\S*)?$/u;
/** A name or an address. URLs may have other characters, such as `*`, which would permit every host in a content security policy. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/u;
const PLACEHOLDER = /\{[A-Za-z]\w*\}/gu;

function isPreviewUrl(url: string): boolean {
  const filled = url.replaceAll(PLACEHOLDER, 'x');
  if (!PREVIEW_URL.test(url) || /[{}]/u.test(filled) || !URL.canParse(filled)) return false;
  const { hostname, username, password } = new URL(filled);
  return HOST.test(hostname) && username === '' && password === '';
}

/** The settings of the admin panel; undefined if there is none. */
export function resolveAdmin({ schema, report }: ModelContext): AdminSettings | undefined {
  const setting = schema.admin?.value ?? true;
  if (typeof setting === 'boolean') return setting ? true : undefined;
  const { previewUrl } = setting;
  if (previewUrl === undefined) return true;
  if (isPreviewUrl(previewUrl.value)) return { previewUrl: previewUrl.value };
  reportError(report, {
    code: 'project/admin',
    message: `\`previewUrl\` is not a valid URL: ${quoted(previewUrl.value)}`,
    location: previewUrl.location,
    hint: 'write a URL with placeholders after the host: https://example.org/preview?type={type}&id={id}',
  });
  return true;
}

/** Columns that every entry has. */
const OWN_COLUMNS = ['id', 'createdAt', 'updatedAt'];

function isSecret(attribute: AttributeDefinition): boolean {
  return attribute.private || (attribute.kind === 'scalar' && attributeType(attribute.type).isSecret === true);
}

/** Reports a name that is not one of `names`. `what`: the option that contains it. */
function checkName(
  { report }: ModelContext,
  { uid, attributes }: ContentTypeDefinition,
  names: readonly string[],
  what: string,
  { value, location }: Located<string>,
): void {
  if (names.includes(value)) return;
  const known = attributes.find(({ name }) => name === value);
  const problem = known
    ? isSecret(known)
      ? 'which is never in a response'
      : 'which is not a single value'
    : 'which it does not have';
  reportError(report, {
    code: 'type/admin',
    message: `\`${what}\` of ${named(uid)} refers to ${named(value)}, ${problem}`,
    location,
    related: known && [{ message: 'it is defined here', location: known.location }],
    hint: suggestion(value, names),
  });
}

/** How the admin panel shows a type. Invalid attribute names are reported. */
export function resolveAdminView(context: ModelContext, type: ContentTypeDefinition): AdminView | undefined {
  const { admin, attributes, draftAndPublish } = type;
  if (admin === undefined) return undefined;
  const { mainField, columns, group } = admin;
  const open = attributes.filter((attribute) => !isSecret(attribute));
  const values = open.filter(({ kind }) => kind === 'scalar').map(({ name }) => name);
  const own = [...OWN_COLUMNS, ...(draftAndPublish ? ['publishedAt'] : [])];
  if (mainField) checkName(context, type, values, 'mainField', mainField);
  for (const column of columns ?? []) {
    checkName(context, type, [...open.map(({ name }) => name), ...own], 'columns', column);
  }
  return {
    ...(mainField && { mainField: mainField.value }),
    ...(columns && { columns: [...new Set(columns.map(({ value }) => value))] }),
    ...(group && { group: group.value }),
  };
}
