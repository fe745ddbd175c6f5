/** Runs the fields of Query and Mutation that call endpoints of the project. */
import { ForbiddenError } from '../../contract/errors.ts';
import type { JsonSchema } from '../../contract/routes/json-schema.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import type { OwnEndpoint } from '../../http/feature.ts';
import { callRoute } from '../../http/inner-request.ts';
import { callerOf } from '../../http/request.ts';
import type { RootField, RunScope } from './entry-fields.ts';
import { argumentsOf, plainReader } from './selection.ts';
import { asText, type Read } from './shape.ts';

function membersIn(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema?.['properties'];
  return isObject(properties) ? Object.keys(properties) : [];
}

/** In a URL, every value is text. */
function parameterOf(value: unknown): string | readonly string[] {
  return Array.isArray(value) ? value.map(asText) : asText(value);
}

/** The answer, to be shaped. Throws what the endpoint throws. */
export async function runOwnField(
  scope: RunScope,
  field: RootField,
  { route, field: own }: OwnEndpoint,
): Promise<(path: Parameters<Read>[1], shaping: Parameters<Read>[2]) => unknown> {
  const { ctx } = scope;
  const { role, permissions } = callerOf(ctx);
  if (route.permission !== undefined && !permissions.has(route.permission)) {
    throw new ForbiddenError({ reason: `${role} lacks ${route.permission}` });
  }
  const args = argumentsOf(scope, field.parent, field.node);
  const given = (names: readonly string[]) =>
    names.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]] as const]));
  const read = plainReader(scope, field.inner, field.nodes);
  const answer = await callRoute(ctx, route, {
    params: Object.fromEntries(given(own.params).map(([name, value]) => [name, asText(value)])),
    parameters: Object.fromEntries(
      given(membersIn(own.query)).flatMap(([name, value]) => (value === null ? [] : [[name, parameterOf(value)]])),
    ),
    body: Object.fromEntries(given(membersIn(own.body))),
  });
  return (path, shaping) => (own.answer ? read(answer, path, shaping) : true);
}
