/** Mirrors the rules of a style sheet, for languages that are written from right to left. */

/** Properties of two sides, which change places. */
const SIDES = [
  ['left', 'right'],
  ['margin-left', 'margin-right'],
  ['padding-left', 'padding-right'],
  ['border-left-width', 'border-right-width'],
  ['border-left-style', 'border-right-style'],
  ['border-left-color', 'border-right-color'],
  ['border-top-left-radius', 'border-top-right-radius'],
  ['border-bottom-left-radius', 'border-bottom-right-radius'],
] as const;

/** Properties whose value names a side. */
const NAMED = ['text-align', 'float', 'clear', 'transform-origin', 'background-position'];

function set(style: CSSStyleDeclaration, name: string, value: string, priority: string): void {
  if (value === '') style.removeProperty(name);
  else style.setProperty(name, value, priority);
}

/** The opposite of a length or a percentage. */
function negated(length: string): string {
  if (/^-?0\D*$/u.test(length)) return length;
  return length.startsWith('-') ? length.slice(1) : `-${length}`;
}

export function mirrorStyle(style: CSSStyleDeclaration): void {
  for (const [left, right] of SIDES) {
    const [ofLeft, ofRight] = [left, right].map((name) => [
      style.getPropertyValue(name),
      style.getPropertyPriority(name),
    ]) as [[string, string], [string, string]];
    if (String(ofLeft) === String(ofRight)) continue;
    set(style, left, ...ofRight);
    set(style, right, ...ofLeft);
  }
  for (const name of NAMED) {
    const value = style.getPropertyValue(name);
    const mirrored = value.replaceAll(/\b(?:left|right)\b/gu, (side) => (side === 'left' ? 'right' : 'left'));
    if (mirrored !== value) style.setProperty(name, mirrored, style.getPropertyPriority(name));
  }
  const transform = style.getPropertyValue('transform');
  const moved = transform.replaceAll(
    /(?<before>\btranslate(?:X|3d)?\(\s*)(?<x>-?[\d.]+[a-z%]*)/gu,
    (_all, before: string, x: string) => before + negated(x),
  );
  if (moved !== transform) style.setProperty('transform', moved, style.getPropertyPriority('transform'));
}

/** Also the rules in it: of media queries, and of animations. */
export function mirrorRule(rule: CSSRule): void {
  if ('style' in rule) mirrorStyle(rule.style as CSSStyleDeclaration);
  if ('cssRules' in rule) for (const inner of rule.cssRules as CSSRuleList) mirrorRule(inner);
}
