/** Formats of text that are checked in bodies, but not in filters. */
import { lengthOf } from './cast-text.ts';

const MAX_EMAIL_LENGTH = 254;
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
const TOP_LEVEL = /^\p{L}/u;
const UID = /^[A-Za-z0-9\-_.~]*$/;

/** Whether a text looks like an e-mail address: letters of any script, a domain with a dot. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || lengthOf(text) > MAX_EMAIL_LENGTH) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    text
      .slice(0, at)
      .split('.')
      .every((part) => LOCAL_PART.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    TOP_LEVEL.test(labels.at(-1) ?? '')
  );
}

/** Whether a text has only characters that need no escaping in a URL. True for the empty text. */
export function isUid(text: string): boolean {
  return UID.test(text);
}
