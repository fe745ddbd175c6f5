/** Prints JSON for people who read and compare it: values that fit on one line are not broken up. */
/** Any JSON value; members that are `undefined` are omitted. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

const WIDTH = 120;

/**
 * Whether the parts are single lines and fit on one, next to `others` characters. Each part counts two more, for a
 * separator and a space.
 */
function fits(parts: readonly string[], others: number): boolean {
  let width = others;
  for (const part of parts) {
    width += part.length + 2;
    if (width >= WIDTH || part.includes('\n')) return false;
  }
  return true;
}

type Members = { readonly [key: string]: Json | undefined };

/** Prints the values of one file. Caches strings, since most keys and texts occur many times. */
class Printer {
  readonly #texts = new Map<string, string>();
  readonly #folded: ReadonlyMap<string, Members>;

  constructor(folded: ReadonlyMap<string, Members>) {
    this.#folded = folded;
  }

  /** `before` is the number of characters on the line before the value. */
  print(value: Json, indent: string, before: number): string {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const inner = `${indent}  `;
    if (Array.isArray(value)) {
      const parts = (value as readonly Json[]).map((item) => this.print(item, inner, inner.length));
      return enclosed(['[', ']', ''], parts, indent, before);
    }
    const parts: string[] = [];
    for (const [key, member] of Object.entries(this.#unfolded(value as Members))) {
      if (member === undefined) continue;
      const prefix = `${this.#text(key)}: `;
      parts.push(prefix + this.print(member, inner, inner.length + prefix.length));
    }
    return enclosed(['{', '}', ' '], parts, indent, before);
  }

  /** The target of a reference, if it is inlined. Members next to the `$ref` override those of the target. */
  #unfolded(value: Members): Members {
    const target = typeof value['$ref'] === 'string' ? this.#folded.get(value['$ref']) : undefined;
    if (target === undefined) return value;
    return this.#unfolded({ ...target, ...value, $ref: target['$ref'] });
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const made = JSON.stringify(text);
    this.#texts.set(text, made);
    return made;
  }
}

function enclosed(
  [start, end, space]: readonly [start: string, end: string, space: string],
  parts: readonly string[],
  indent: string,
  before: number,
): string {
  if (parts.length === 0) return start + end;
  if (fits(parts, before + 2 * space.length)) return start + space + parts.join(', ') + space + end;
  const separator = `,\n${indent}  `;
  return `${start}${separator.slice(1)}${parts.join(separator)}\n${indent}${end}`;
}

/**
 * The text of the file. `folded`: the schemas of an OpenAPI document that replace references to them, such as
 * `{ "$ref": "#/components/schemas/Sort" }`.
 */
export function printCompactJson(value: Json | object, folded: ReadonlyMap<string, Members> = new Map()): string {
  return `${new Printer(folded).print(value as Json, '', 0)}\n`;
}
