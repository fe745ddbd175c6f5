/** `tenant` of types: the relation to what each entry belongs to, such as a site. */
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition } from '../schema/definition.ts';
import type { Attribute } from './content-model.ts';
import type { ModelContext } from './model-context.ts';

/** Why an attribute can't be the tenant; undefined if it can. */
function faultOf(attribute: Attribute | undefined): string | undefined {
  if (!attribute) return 'which does not exist';
  if (attribute.kind !== 'relation') return 'which is no relation';
  const { relation, owner, required, localized } = attribute;
  if (!owner || (relation !== 'manyToOne' && relation !== 'oneWay')) return `which is \`${relation}\``;
  if (!required) return 'which is not required';
  return localized ? 'of which each locale has its own value' : undefined;
}

/** The name of the tenant attribute of a type. Reports one that can't be it. */
export function resolveTenant(
  { report }: ModelContext,
  { uid, kind, tenant }: ContentTypeDefinition,
  attributes: readonly Attribute[],
): string | undefined {
  if (tenant === undefined) return undefined;
  const { value, location } = tenant;
  if (kind === 'singleType') {
    const message = `the single type ${named(uid)} has a \`tenant\`, but only one entry`;
    reportError(report, {
      code: 'type/tenant',
      message,
      location,
      hint: 'make it a collection type, with an entry for each tenant',
    });
    return undefined;
  }
  const known = attributes.find(({ name }) => name === value);
  const fault = faultOf(known);
  if (fault === undefined) return value;
  const names = attributes.filter((attribute) => faultOf(attribute) === undefined).map(({ name }) => name);
  reportError(report, {
    code: 'type/tenant',
    message: `\`tenant\` of ${named(uid)} names ${named(value)}, ${fault}`,
    location,
    related: known && [{ message: 'it is defined here', location: known.location }],
    hint:
      suggestion(value, names) ??
      `for example ${value}: { type: relation, relation: manyToOne, target: site, required: true${known?.localized ? ', localized: false' : ''} }`,
  });
  return undefined;
}
