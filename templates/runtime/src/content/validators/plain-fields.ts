/** Truth values, JSON and structured text. */
import { checkBlocks } from '../../contract/values/blocks.ts';
import { report, type Field } from './field.ts';
import { isGiven, type PresenceOf } from './presence.ts';
import { scalarField, type ScalarOptions } from './scalar-field.ts';

/** True or false. */
export function boolean<const O extends ScalarOptions<boolean>>(options?: O): Field<boolean, PresenceOf<O>> {
  return scalarField({ type: 'boolean', options });
}

/** Any JSON value. A JSON null is the same as no value. */
export function json<const O extends ScalarOptions<unknown>>(options?: O): Field<unknown, PresenceOf<O>> {
  return scalarField({ type: 'json', options });
}

/** An array of block nodes; each failing node has its own path. */
export function blocks<const O extends ScalarOptions<readonly unknown[]>>(
  options?: O,
): Field<readonly unknown[], PresenceOf<O>> {
  const initial = options?.default;
  if (initial !== undefined && checkBlocks(initial, []).length > 0) {
    throw new TypeError('The default of an attribute of type blocks is not an array of block nodes');
  }
  return {
    check(value, scope) {
      if (value === undefined && scope.operation === 'create' && initial !== undefined) return initial;
      if (!isGiven(value, options?.required === true, scope)) return value === null ? null : undefined;
      const issues = checkBlocks(value, scope.path);
      for (const { path, message } of issues) report(scope, message, path);
      return issues.length === 0 ? value : undefined;
    },
  };
}
