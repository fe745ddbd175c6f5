/** Whether an attribute may be missing or null, for attributes of every type. */
import { report, type Scope } from './field.ts';

/** The options that attributes of every type have. */
export interface PresenceOptions {
  readonly required?: boolean;
}

/** Whether there is a value to check. Reports one that is missing or null but may not be. */
export function isGiven(value: unknown, required: boolean, scope: Scope): boolean {
  if (value !== undefined && value !== null) return true;
  if (!required || scope.draft) return false;
  if (value === null) report(scope, 'cannot be null');
  else if (scope.operation === 'create') report(scope, 'must be defined');
  return false;
}
