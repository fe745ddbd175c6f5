/** Parses environment variables. Hand-written, since loading a validation library would slow down every start. */
import { type CastResult, err, ok } from '../contract/values/cast-result.ts';

/** Parses a non-empty text, or says what it must be: `must be a number`. */
export type ReadText<Value> = (text: string) => CastResult<Value>;

/** A variable: its parser, and its value if it is absent. */
export interface Variable<Value> {
  readonly read: ReadText<Value>;
  readonly absent: Value;
}

/** The values of variables by their names. */
export type ValuesOf<Variables extends Readonly<Record<string, Variable<unknown>>>> = {
  readonly [Name in keyof Variables]: Variables[Name]['absent'];
};

/** An optional variable. */
export function optional<Value>(read: ReadText<Value>): Variable<Value | undefined> {
  return { read, absent: undefined };
}

/** A variable with a default. */
export function withDefault<Value>(read: ReadText<Value>, absent: NoInfer<Value>): Variable<Value> {
  return { read, absent };
}

/** Any text. */
export const anyText: ReadText<string> = (text) => ok(text);

/** Text that matches a pattern. `problem`: what the variable must be. */
export function matching(pattern: RegExp, problem: string): ReadText<string> {
  return (text) => (pattern.test(text) ? ok(text) : err(problem));
}

/** An integer in decimal digits, without sign. `outside`: the message if it is out of bounds. */
export function wholeNumber(
  least: number,
  most: number,
  problem = 'must be a number',
  outside = `must be from ${least} to ${most}`,
): ReadText<number> {
  return (text) => {
    if (!/^\d{1,15}$/u.test(text)) return err(problem);
    const number = Number(text);
    return number >= least && number <= most ? ok(number) : err(outside);
  };
}

/** `true` or `false`. */
export const flag: ReadText<boolean> = (text) =>
  text === 'true' || text === 'false' ? ok(text === 'true') : err('must be "true" or "false"');

/** One of an enumeration. */
export function oneOf<const Word extends string>(words: readonly Word[]): ReadText<Word> {
  return (text) => {
    const found = words.find((word) => word === text);
    return found === undefined ? err(`must be one of ${words.join(', ')}`) : ok(found);
  };
}

/** URL parsers strip these silently, so the text would not be the URL that is used. */
const STRIPPED = /[\t\n\r]/u;

/** A URL, kept as written. `protocol` is matched with its colon. */
export function urlOf(protocol: RegExp, problem: string): ReadText<string> {
  return (text) => {
    const url = text.trim();
    if (STRIPPED.test(url) || !URL.canParse(url)) return err(problem);
    return protocol.test(new URL(url).protocol) ? ok(url) : err(problem);
  };
}

/** An HTTP or HTTPS URL. Rejects `http:example.org`, which parsers accept, but which is most likely a typing error. */
export function webUrl(problem: string): ReadText<string> {
  const read = urlOf(/^https?:$/u, problem);
  return (text) => (/^\s*https?:\/\//iu.test(text) ? read(text) : err(problem));
}

/** A comma-separated list; spaces around the items are ignored. */
export function listOf<Value>(read: ReadText<Value>): ReadText<readonly Value[]> {
  return (text) => {
    const values: Value[] = [];
    for (const part of text.split(',')) {
      const result = read(part.trim());
      if (!result.ok) return result;
      values.push(result.value);
    }
    return ok(values);
  };
}

/** The values if no variable is set. */
export function defaultsOf<Variables extends Readonly<Record<string, Variable<unknown>>>>(
  variables: Variables,
): ValuesOf<Variables> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, { absent }]) => [name, absent]),
  ) as ValuesOf<Variables>;
}

/**
 * Parses variables; an empty one counts as absent. `problems` has a line for each invalid variable; `values` is
 * undefined if there is any.
 */
export function readVariables<Variables extends Readonly<Record<string, Variable<unknown>>>>(
  variables: Variables,
  environment: NodeJS.ProcessEnv,
): { readonly values: ValuesOf<Variables> | undefined; readonly problems: readonly string[] } {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { read, absent }] of Object.entries(variables)) {
    const text = environment[name];
    const result = text ? read(text) : ok(absent);
    if (result.ok) values[name] = result.value;
    else problems.push(`${name} ${result.message}`);
  }
  return { values: problems.length === 0 ? (values as ValuesOf<Variables>) : undefined, problems };
}
