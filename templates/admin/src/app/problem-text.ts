/** The texts of errors, in the language of the panel. */
import { HttpError, useTranslate } from 'react-admin';
import { errorsIn, toldMessage, translateMessage } from '../rest/field-messages.ts';
import { LostResponseError } from '../rest/request.ts';

/** What `rest/request.ts` keeps of a response. */
interface Body {
  readonly details?: { readonly code?: string; readonly params?: Readonly<Record<string, string>> };
}

/** Statuses whose message says no more than the status. */
const STATUSES = new Set([401, 404, 412, 413, 428, 429, 500, 502, 503, 504, 507]);

/** Messages of 403 that the team's own code has not written. */
export const FORBIDDEN = 'Forbidden';

/** Returns a function for the text of an error. `nameOf` names the field at a path. */
export function useProblemText(): (error: unknown, nameOf?: (path: readonly string[]) => string) => string {
  const translate = useTranslate();
  return (error, nameOf) => {
    if (!(error instanceof HttpError)) {
      return translate(error instanceof LostResponseError ? error.message : 'ra.notification.http_error');
    }
    const { status, message } = error;
    const { details } = (error.body ?? {}) as Body;
    const errors = errorsIn(details).map((one) => {
      const name = nameOf?.((one.path ?? []).map(String)) ?? '';
      const text = translateMessage(toldMessage(one), translate);
      return name === '' ? text : `${name}: ${text}`;
    });
    if (errors.length > 0) return [...new Set(errors)].join(' · ');
    if (details?.code !== undefined) return translateMessage(toldMessage({ message, ...details }), translate);
    if (STATUSES.has(status) || (status === 403 && message === FORBIDDEN)) return translate(`problem.status${status}`);
    return message;
  };
}
