/** What options under `admin` of a type may name: attributes, columns and roles. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** Columns that every entry has. */
const OWN_COLUMNS = ['id', 'createdAt', 'updatedAt'];

export function isSecret(attribute: AttributeDefinition): boolean {
  return attribute.private || (attribute.kind === 'scalar' && attributeType(attribute.type).isSecret === true);
}

/** The columns that a list of the type can have. */
export function columnNames({ attributes, draftAndPublish }: ContentTypeDefinition): readonly string[] {
  const open = attributes.filter((attribute) => !isSecret(attribute)).map(({ name }) => name);
  return [...open, ...OWN_COLUMNS, ...(draftAndPublish ? ['publishedAt'] : [])];
}

/** Reports a name that is not one of `names`. `what`: the option that contains it. */
export function checkName(
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

/** Reports a role that the schema doesn't have. `what`: the option that is for it. */
export function checkRole(
  { schema, report }: ModelContext,
  what: string,
  { value, location }: Located<string>,
  hint: string,
): void {
  const roles = schema.roles.map(({ role }) => role.value);
  if (roles.includes(value)) return;
  reportError(report, {
    code: 'type/admin',
    message: `${what} for the role ${named(value)}, which there is not`,
    location,
    hint: suggestion(value, roles) ?? hint,
  });
}
