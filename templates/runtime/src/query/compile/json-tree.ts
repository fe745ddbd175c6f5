/** JSON with placeholders for values from the database, to be built by SQL or as a string. */

/** A JSON value, in which each `T` is a placeholder. */
export type JsonTree<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'object'; readonly members: JsonMembers<T> }
  | { readonly kind: 'emptyArray' };

export type JsonMembers<T> = readonly (readonly [name: string, tree: JsonTree<T>])[];

export function value<T>(of: T): JsonTree<T> {
  return { kind: 'value', value: of };
}

export function object<T>(members: JsonMembers<T>): JsonTree<T> {
  return { kind: 'object', members };
}

/** Members whose values are placeholders. */
export function values<T>(named: readonly (readonly [string, T])[]): JsonMembers<T> {
  return named.map(([name, of]) => [name, value(of)]);
}

/** A placeholder, and the JSON text before it. */
export interface TreePiece<T> {
  readonly before: string;
  readonly value: T;
}

/** The JSON text of a tree, split at its placeholders; `end` is the text after the last one. */
export function piecesOf<T>(tree: JsonTree<T>): { readonly pieces: readonly TreePiece<T>[]; readonly end: string } {
  const pieces: TreePiece<T>[] = [];
  let text = '';
  const add = (part: JsonTree<T>): void => {
    if (part.kind === 'value') {
      pieces.push({ before: text, value: part.value });
      text = '';
    } else if (part.kind === 'emptyArray') {
      text += '[]';
    } else {
      text += '{';
      for (const [index, [name, member]] of part.members.entries()) {
        text += `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
        add(member);
      }
      text += '}';
    }
  };
  add(tree);
  return { pieces, end: text };
}
