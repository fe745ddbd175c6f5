/** The words of a `blocks` value, without its formatting. */

interface Node {
  readonly type?: string;
  readonly text?: string;
  readonly image?: { readonly name?: string };
  readonly children?: readonly Node[];
}

function wordsOf({ text, image, children = [] }: Node): string {
  return text ?? (image ? `[${image.name ?? ''}]` : children.map(wordsOf).join(''));
}

function linesOf(node: Node): string[] {
  return node.type === 'list' ? (node.children ?? []).flatMap(linesOf) : [wordsOf(node)];
}

/** One line for each paragraph, heading, and item of a list. */
export function textOfBlocks(value: unknown): string {
  return Array.isArray(value) ? (value as Node[]).flatMap(linesOf).join('\n') : '';
}
