/** Attributes that are text. */
import { lengthOf } from '../../contract/values/cast-text.ts';
import { isEmail, isUid } from '../../contract/values/formats.ts';
import { MAX_PASSWORD_LENGTH } from '../../base/password.ts';
import type { Field } from './field.ts';
import type { PresenceOf } from './presence.ts';
import { scalarField, type Rule, type ScalarOptions } from './scalar-field.ts';

/** Options of text-like attributes. Lengths count characters (code points). */
interface TextOptions extends ScalarOptions<string> {
  /** Not asked of drafts. The empty text is too short for any. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Source of a regular expression with the flag `u`. The empty text of an attribute that is not required passes. */
  readonly regex?: string;
  /** It has a unique index, which holds 255 characters at most. */
  readonly unique?: boolean;
}

/** A uid is always indexed and unique. */
interface UidOptions extends TextOptions {
  /** The attribute from which a required value is made where none is given. */
  readonly targetField?: string;
}

const MAX_INDEXED_LENGTH = 255;

function textRules(
  options: TextOptions,
  maxLength = options.unique === true ? MAX_INDEXED_LENGTH : Infinity,
): Rule<string>[] {
  const rules: Rule<string>[] = [];
  const shortest = options.minLength ?? 0;
  const longest = Math.min(options.maxLength ?? Infinity, maxLength);
  if (shortest > 0) {
    rules.push((text, { draft }) =>
      draft || lengthOf(text) >= shortest ? undefined : `must be at least ${shortest} characters`,
    );
  }
  if (longest < Infinity) {
    rules.push((text) => (lengthOf(text) <= longest ? undefined : `must be at most ${longest} characters`));
  }
  if (options.regex !== undefined) {
    const regex = new RegExp(options.regex, 'u');
    const emptyPasses = options.required !== true;
    rules.push((text) =>
      (text === '' && emptyPasses) || regex.test(text) ? undefined : `must match the following: ${String(regex)}`,
    );
  }
  return rules;
}

const emailRule: Rule<string> = (value) => (isEmail(value) ? undefined : 'must be a valid email');

const uidRule: Rule<string> = (value) =>
  isUid(value) ? undefined : 'must consist of letters A to Z, digits and the signs - _ . ~';

/** A line of text. */
export function string<const O extends TextOptions>(options?: O): Field<string, PresenceOf<O>> {
  return scalarField({ type: 'string', options, rules: textRules(options ?? {}) });
}

/** Text of several lines. */
export function text<const O extends TextOptions>(options?: O): Field<string, PresenceOf<O>> {
  return scalarField({ type: 'text', options, rules: textRules(options ?? {}) });
}

/** Text with markup. It is stored as it came: who shows it must escape it. */
export function richtext<const O extends TextOptions>(options?: O): Field<string, PresenceOf<O>> {
  return scalarField({ type: 'richtext', options, rules: textRules(options ?? {}) });
}

/** An address that mail can be sent to. */
export function email<const O extends TextOptions>(options?: O): Field<string, PresenceOf<O>> {
  return scalarField({ type: 'email', options, rules: [emailRule, ...textRules(options ?? {})] });
}

/** A password, still as it was typed: it must be hashed before it is stored. */
export function password<const O extends TextOptions>(options?: O): Field<string, PresenceOf<O>> {
  const rules = textRules(options ?? {}, MAX_PASSWORD_LENGTH);
  return scalarField({ type: 'password', options, rules });
}

type UidPresence<O> = O extends { readonly required: true } ? 'filled' : 'optional';

/** Text that can stand in a URL. A required one that a new entry lacks (or has null for) is for the server to make. */
export function uid<const O extends UidOptions>(options?: O): Field<string, UidPresence<O>> {
  return scalarField({
    type: 'uid',
    options,
    rules: [uidRule, ...textRules(options ?? {}, MAX_INDEXED_LENGTH)],
    generated: true,
  });
}

/** One of the given values. */
export function enumeration<const Values extends readonly string[], const O extends ScalarOptions<Values[number]>>(
  values: Values,
  options?: O,
): Field<Values[number], PresenceOf<O>> {
  const allowed = new Set<string>(values);
  const member: Rule<string> = (value) =>
    allowed.has(value) ? undefined : `must be one of the following values: ${values.join(', ')}`;
  return scalarField({ type: 'enumeration', options, rules: [member] });
}
