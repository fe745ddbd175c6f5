/** `tenant` of types: the relation to what each entry belongs to, such as a site. */
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import type { AttributeDefinition, ContentTypeDefinition } from '../schema/definition.ts';
import type { Attribute, ContentType } from './content-model.ts';
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
function tenantOf(
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

/** Why an attribute of the tenant can't be the host; undefined if it can. */
function hostFault(attribute: AttributeDefinition | undefined): string | undefined {
  if (!attribute) return 'which does not exist';
  if (attribute.kind !== 'scalar' || attributeType(attribute.type).columnType !== 'text') return 'which is no text';
  return attribute.unique?.value === true ? undefined : 'which is not unique';
}

/** The attribute of the tenant that is the host of a request. Reports one that can't be it. */
function hostOf(
  { schema, report }: ModelContext,
  { uid, tenantHost }: ContentTypeDefinition,
  tenant: Attribute | undefined,
): string | undefined {
  if (tenantHost === undefined) return undefined;
  const { value, location } = tenantHost;
  const [target] = tenant?.kind === 'relation' ? tenant.targets : [];
  const ofTarget = schema.contentTypes.find((type) => type.uid === target)?.attributes ?? [];
  const fault =
    target === undefined ? 'but the type has no `tenant`' : hostFault(ofTarget.find(({ name }) => name === value));
  if (fault === undefined) return value;
  const names = ofTarget.filter((attribute) => hostFault(attribute) === undefined).map(({ name }) => name);
  reportError(report, {
    code: 'type/tenant',
    message: `\`tenantHost\` of ${named(uid)} names ${named(value)}, ${fault}`,
    location,
    hint:
      suggestion(value, names) ??
      `for example, in ${named(target ?? 'site')}: ${value}: { type: string, unique: true }`,
  });
  return undefined;
}

/** The relation to what each entry of a type belongs to, and how a request tells which that is. */
export function resolveTenant(
  context: ModelContext,
  type: ContentTypeDefinition,
  attributes: readonly Attribute[],
): Pick<ContentType, 'tenant' | 'tenantHost'> {
  const tenant = tenantOf(context, type, attributes);
  const tenantHost = hostOf(
    context,
    type,
    attributes.find(({ name }) => name === tenant),
  );
  return { tenant, ...(tenantHost !== undefined && { tenantHost }) };
}
