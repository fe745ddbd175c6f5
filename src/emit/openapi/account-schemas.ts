/** Schemas of users, including the attributes that the schema adds to them. */
import { ANY_OBJECT, type JsonSchema, list } from '#contract/routes/json-schema.ts';
import { ACCOUNT_SCHEMAS } from '#contract/routes/account-schemas.ts';
import { customUserAttributes } from '../../model/built-in-types.ts';
import type { Attribute, ContentType } from '../../model/content-model.ts';
import { isVisible } from '../types/output-properties.ts';
import { presenceOf } from '../types/presence.ts';
import type { Scope } from './names.ts';
import { isMany } from './is-many.ts';
import { inputProperties } from './request-schemas.ts';
import { nullable, scalarOutputSchema } from './scalar-schemas.ts';
import { textsOf } from './texts.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** In responses, users are flat, and so is everything populated in them. */
function responseSchema(attribute: Attribute): JsonSchema {
  if (attribute.kind === 'scalar') return scalarOutputSchema(attribute, attribute.required);
  const schema = isMany(attribute) ? list(ANY_OBJECT) : nullable(ANY_OBJECT);
  return { ...schema, ...textsOf({ ...attribute, description: attribute.description ?? 'Where it is populated.' }) };
}

function extended(
  [name, schema]: readonly [string, JsonSchema],
  further: Properties,
  required: readonly string[] = [],
): readonly [string, JsonSchema] {
  const always = schema['required'] as readonly string[] | undefined;
  return [
    name,
    {
      ...schema,
      properties: { ...(schema['properties'] as Properties), ...further },
      ...(always || required.length > 0 ? { required: [...(always ?? []), ...required] } : {}),
    },
  ];
}

/** The schemas that differ from the default ones. `known`: what the response format adds to some of them. */
export function accountSchemas(
  contentTypes: readonly ContentType[],
  scope: Scope,
  known: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const user = contentTypes.find(({ uid }) => uid === 'user');
  const further = user ? customUserAttributes(user) : [];
  if (user === undefined || further.length === 0) return {};
  const registered = further.filter(({ name }) => user.register.includes(name));
  const visible = further.filter(isVisible).map((attribute) => [attribute.name, responseSchema(attribute)] as const);
  const base = (name: string) => [name, known[name] ?? ACCOUNT_SCHEMAS[name] ?? {}] as const;
  const mustBeSent = registered.filter((one) => presenceOf(one).mustBeSent).map(({ name }) => name);
  return Object.fromEntries([
    extended(base('Account'), Object.fromEntries(visible)),
    extended(base('AccountInput'), inputProperties(further, scope, false)),
    extended(base('RegisterRequest'), inputProperties(registered, scope, false), mustBeSent),
  ]);
}
