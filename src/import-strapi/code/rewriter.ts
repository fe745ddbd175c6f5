/** Prints a syntax tree again: as it was, except where a rule has another text. */
import { compiler, lineOf, type Node, type SourceFile } from './syntax.ts';

/** A place that could not be translated. */
export interface Mark {
  /** In the file of the project. */
  readonly line: number;
  readonly code: string;
  /** Why, and what to write. */
  readonly reason: string;
}

/** The text for a node; undefined if the rule doesn't apply. */
export type Rule = (node: Node, rewriter: Rewriter) => string | undefined;

const LONGEST_QUOTE = 70;

export class Rewriter {
  readonly #printed = new Map<Node, string>();
  /** By their position. */
  readonly #marks = new Map<number, Mark>();
  /** What to say about the file that doesn't concern one place. */
  readonly notes = new Set<string>();
  /** Names from the support module. */
  readonly used = new Set<string>();
  /** Modules of services to import: module → name. */
  readonly services = new Map<string, string>();
  readonly #source: SourceFile;
  readonly #rules: readonly Rule[];

  constructor(source: SourceFile, rules: readonly Rule[]) {
    this.#source = source;
    this.#rules = rules;
  }

  /** In the order of the file. */
  get marks(): readonly Mark[] {
    return [...this.#marks].sort(([a], [b]) => a - b).map(([, mark]) => mark);
  }

  /** The same text each time: rules ask for parts of what they print, more than once. */
  print(node: Node): string {
    const known = this.#printed.get(node);
    if (known !== undefined) return known;
    const text = this.#text(node);
    this.#printed.set(node, text);
    return text;
  }

  /** Prints other text for a node. */
  replace(node: Node, text: string): void {
    this.#printed.set(node, text);
  }

  #text(node: Node): string {
    for (const rule of this.#rules) {
      const text = rule(node, this);
      if (text !== undefined) return text;
    }
    return this.children(node);
  }

  /** A node as it was, with its children printed. */
  children(node: Node): string {
    const source = this.#source;
    let text = '';
    let at = node.getStart(source);
    compiler().forEachChild(node, (child) => {
      const start = child.getStart(source);
      if (start < at) return;
      text += source.text.slice(at, start) + this.print(child);
      at = child.end;
    });
    return text + source.text.slice(at, node.end);
  }

  /** The comments above a node. */
  comments(node: Node): string {
    return this.#source.text.slice(node.getFullStart(), node.getStart(this.#source));
  }

  /** A name that the file doesn't use otherwise. */
  freeName(name: string): string {
    return new RegExp(String.raw`\b${name}\b`, 'u').test(this.#source.text) ? this.freeName(`${name}Module`) : name;
  }

  /** A name from the support module. */
  use(name: string): string {
    this.used.add(name);
    return name;
  }

  /** The code as it was, in a call that doesn't compile, since there is no such function. */
  mark(node: Node, reason: string): string {
    const code = node.getText(this.#source);
    const [first = ''] = code.split('\n');
    const quoted = first.length > LONGEST_QUOTE ? `${first.slice(0, LONGEST_QUOTE)}…` : first;
    this.#marks.set(node.getStart(this.#source), { line: lineOf(node), code: quoted, reason });
    return `untranslated(${JSON.stringify(reason)}, ${code})`;
  }

  /** Notes a place whose mark the printer writes. */
  markAt(node: Node, reason: string): void {
    const key = this.#marks.size === 0 ? -1 : -1 - this.#marks.size;
    this.#marks.set(key, { line: lineOf(node), code: '', reason });
  }
}
