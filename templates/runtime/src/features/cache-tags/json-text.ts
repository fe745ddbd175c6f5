/** Goes through JSON without making values of it. Long strings cost next to nothing. */

/** A text has another form than expected: somebody else has made it. */
export class OtherForm extends Error {}

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE, ZERO, NINE] = [34, 92, 44, 58, 32, 48, 57];
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [123, 125, 91, 93];

/** A position in a text. What is skipped is not checked. All its functions throw OtherForm. */
export class JsonText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that is not white space; the position stays at it. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= SPACE) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }

  /** Goes over a character, if it is the next one. */
  takes(character: string): boolean {
    if (this.#next() !== character.charCodeAt(0)) return false;
    this.#at += 1;
    return true;
  }

  expect(character: string): void {
    if (!this.takes(character)) throw new OtherForm();
  }

  takesNull(): boolean {
    this.#next();
    if (!this.#text.startsWith('null', this.#at)) return false;
    this.#at += 4;
    return true;
  }

  #hasNext(end: number): boolean {
    const code = this.#next();
    if (code === end || code === COMMA) this.#at += 1;
    return code !== end;
  }

  /** Whether an object has a member after this position; goes to its name, or behind the object. */
  hasMember(): boolean {
    return this.#hasNext(OBJECT_END);
  }

  /** Whether an array has an element after this position; goes to it, or behind the array. */
  hasElement(): boolean {
    return this.#hasNext(ARRAY_END);
  }

  /** The name of a member, as it is written; goes to its value. */
  name(): string {
    const name = this.string();
    if (this.#next() !== COLON) throw new OtherForm();
    this.#at += 1;
    return name;
  }

  /** A string, as it is written. */
  string(): string {
    if (this.#next() !== QUOTE) throw new OtherForm();
    const start = this.#at + 1;
    this.#skipString();
    return this.#text.slice(start, this.#at - 1);
  }

  /** A whole number that is not negative. */
  integer(): number {
    this.#next();
    const start = this.#at;
    let value = 0;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (!(code >= ZERO && code <= NINE)) break;
      value = value * 10 + code - ZERO;
      this.#at += 1;
    }
    if (this.#at === start) throw new OtherForm();
    return value;
  }

  #skipString(): void {
    const text = this.#text;
    let end = this.#at;
    for (;;) {
      end = text.indexOf('"', end + 1);
      if (end < 0) throw new OtherForm();
      let first = end;
      while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
      if ((end - first) % 2 === 0) break;
    }
    this.#at = end + 1;
  }

  /** Goes behind the object or array whose members or elements are here. */
  skipToEnd(): void {
    const text = this.#text;
    for (let depth = 1; depth > 0;) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        this.#skipString();
        continue;
      }
      if (code === OBJECT || code === ARRAY) depth += 1;
      else if (code === OBJECT_END || code === ARRAY_END) depth -= 1;
      else if (this.#at >= text.length) throw new OtherForm();
      this.#at += 1;
    }
  }

  /** Goes behind a value. */
  skipValue(): void {
    const code = this.#next();
    if (code === QUOTE) {
      this.#skipString();
      return;
    }
    this.#at += 1;
    if (code === OBJECT || code === ARRAY) {
      this.skipToEnd();
      return;
    }
    for (;;) {
      const now = this.#text.charCodeAt(this.#at);
      if (now === COMMA || now === OBJECT_END || now === ARRAY_END) return;
      if (this.#at >= this.#text.length) throw new OtherForm();
      this.#at += 1;
    }
  }
}
