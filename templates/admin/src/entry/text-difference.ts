/** The part of a text in which it differs from another one. */

export interface TextPart {
  /** What both texts have before it, as far as it is shown. */
  readonly start: string;
  readonly part: string;
  readonly end: string;
}

/** How much of what is equal is shown on either side. */
const AROUND = 60;

function commonLength(one: string, other: string, limit: number): number {
  let length = 0;
  while (length < limit && one[length] === other[length]) length += 1;
  return length;
}

function reversed(text: string): string {
  return [...text].toReversed().join('');
}

/** Reduces a common length to whole words, which also keeps characters of two code units together. */
function toWords(text: string, length: number): number {
  if (length === text.length || /\s/u.test(text[length] ?? ' ')) return length;
  return Math.max(text.slice(0, length).search(/\s\S*$/u) + 1, 0);
}

function endOf(text: string): string {
  return text.length > AROUND ? `…${text.slice(-AROUND)}` : text;
}

function startOf(text: string): string {
  return text.length > AROUND ? `${text.slice(0, AROUND)}…` : text;
}

/** The parts of two texts that differ, as whole words. */
export function differingParts(before: string, after: string): readonly [TextPart, TextPart] {
  const shorter = Math.min(before.length, after.length);
  const length = commonLength(before, after, shorter);
  const start = Math.min(toWords(before, length), toWords(after, length));
  const [restBefore, restAfter] = [reversed(before.slice(start)), reversed(after.slice(start))];
  const common = commonLength(restBefore, restAfter, Math.min(restBefore.length, restAfter.length));
  const end = Math.min(toWords(restBefore, common), toWords(restAfter, common));
  const partOf = (text: string): TextPart => ({
    start: endOf(text.slice(0, start)),
    part: text.slice(start, text.length - end),
    end: startOf(text.slice(text.length - end)),
  });
  return [partOf(before), partOf(after)];
}
