/** Whether an attribute may be missing or null: the same for attributes of every type. */
import { report, type Scope } from './field.ts';

/** Options that attributes of every type have. */
export interface PresenceOptions {
  readonly required?: boolean;
}

/** The presence of an attribute with such options. */
export type PresenceOf<Options> = Options extends { readonly required: true }
  ? Options extends { readonly default: unknown }
    ? 'filled'
    : 'required'
  : 'optional';

/** Whether the value is there to be checked; if it is missing or null where it may not be, that is reported. */
export function isGiven(value: unknown, required: boolean, scope: Scope): boolean {
  if (value !== undefined && value !== null) return true;
  if (!required || scope.draft) return false;
  if (value === null) report(scope, 'cannot be null');
  else if (scope.operation === 'create') report(scope, 'must be defined');
  return false;
}
