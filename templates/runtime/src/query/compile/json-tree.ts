/** JSON of which some parts are values that only the database knows: for whoever builds it, as SQL or as text. */

/** `T` is such a value. */
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

/** Members that are values. */
export function values<T>(named: readonly (readonly [string, T])[]): JsonMembers<T> {
  return named.map(([name, of]) => [name, value(of)]);
}

/** A value of a tree, and the text that stands before it. */
export interface TreePiece<T> {
  readonly before: string;
  readonly value: T;
}

/** The text of a tree: its values in their order, and what stands after the last. */
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
