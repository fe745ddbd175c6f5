/** Settings of the audit. */
import { type ValuesOf, wholeNumber, withDefault } from '../../base/environment.ts';

const DAY = 24 * 3_600_000;

export interface AuditSettings {
  /** For how long rows are kept, in milliseconds; undefined: for ever. */
  readonly kept: number | undefined;
}

/** The environment variables of these settings. */
export const auditVariables = {
  AUDIT_KEPT_DAYS: withDefault(wholeNumber(0, 36_500), 365),
};

/** The settings as given by the variables. */
export function auditSettings(data: ValuesOf<typeof auditVariables>): AuditSettings {
  return { kept: data.AUDIT_KEPT_DAYS === 0 ? undefined : data.AUDIT_KEPT_DAYS * DAY };
}
