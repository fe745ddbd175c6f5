/** A TypeScript file as data: cheap to build and compare, and printed only if necessary. */
import { tsString } from './escape.ts';

/** The line width of generated code. */
const WIDTH = 100;

export interface TsImport {
  readonly from: string;
  readonly typeOnly: boolean;
  /** Sorted, whatever their case. `alias` is set if the name is already taken in the file. */
  readonly names: readonly { readonly name: string; readonly alias?: string }[];
}

export interface TsProperty {
  /** Escaped as a property key. */
  readonly key: string;
  readonly type: string;
  readonly optional: boolean;
  /** Escaped as doc text; absent: no comment. */
  readonly doc?: string;
}

export type TsDeclaration =
  | {
      readonly kind: 'interface';
      readonly name: string;
      readonly doc?: string;
      readonly readonly: boolean;
      readonly properties: readonly TsProperty[];
    }
  | { readonly kind: 'alias'; readonly name: string; readonly doc?: string; readonly type: string };

export interface TsModule {
  /** The header comment, one line. */
  readonly header: string;
  readonly imports: readonly TsImport[];
  /** A file whose types are exported, too. */
  readonly reexported?: string;
  readonly declarations: readonly TsDeclaration[];
}

/** Collects the imports of a file, and finds a unique local name for each. */
export interface Imports {
  /** Imports `name` from the module `from`; returns its local name. */
  add(from: string, name: string): string;
  /** All imports: packages first, then files, sorted by name. */
  list(typeOnly: boolean): readonly TsImport[];
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `declared` are the names that the file declares itself, and the globals that it uses. */
export function createImports(declared: readonly string[]): Imports {
  const taken = new Set(declared);
  const modules = new Map<string, Map<string, string>>();
  return {
    add(from, name) {
      const names = modules.get(from) ?? new Map<string, string>();
      modules.set(from, names);
      const known = names.get(name);
      if (known !== undefined) return known;
      let local = name;
      while (taken.has(local)) local += '_';
      taken.add(local);
      names.set(name, local);
      return local;
    },
    list(typeOnly) {
      return [...modules]
        .sort(([a], [b]) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || byCodePoint(a, b))
        .map(([from, names]) => ({
          from,
          typeOnly,
          names: [...names]
            .sort(([a], [b]) => byCodePoint(a.toLowerCase(), b.toLowerCase()) || byCodePoint(a, b))
            .map(([name, local]) => (name === local ? { name } : { name, alias: local })),
        }));
    },
  };
}

/**
 * An import statement for templates: on one line, or one name per line if too long. `values`: the names in an import of types that
 * are not types.
 */
export function importLine({ from, typeOnly, names }: TsImport, values: readonly string[] = []): string {
  const isMixed = typeOnly && names.some(({ name }) => values.includes(name));
  const list = names.map(({ name, alias }) => {
    const text = alias === undefined ? name : `${name} as ${alias}`;
    return isMixed && !values.includes(name) ? `type ${text}` : text;
  });
  const [start, end] = [`import ${typeOnly && !isMixed ? 'type ' : ''}{`, `} from ${tsString(from)};`];
  const line = `${start} ${list.join(', ')} ${end}`;
  // Prettier never moves a single name to a line of its own.
  return line.length <= WIDTH || list.length === 1
    ? line
    : `${start}\n${list.map((name) => `  ${name},\n`).join('')}${end}`;
}

/** A readonly property with a generic type, for templates of interfaces: on one line, or one type argument per line if too long. */
export function genericProperty(key: string, generic: string, typeArguments: readonly string[], further = ''): string {
  const line = `  readonly ${key}: ${generic}<${typeArguments.join(', ')}>${further};`;
  // A file with a line that is too long is formatted.
  if (line.length <= WIDTH || further !== '') return line;
  return `  readonly ${key}: ${generic}<\n${typeArguments.map((one) => `    ${one}`).join(',\n')}\n  >;`;
}
