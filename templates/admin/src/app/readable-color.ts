import { darken, getContrastRatio, getLuminance, lighten } from '@mui/material/styles';

/** Of text and its background, by WCAG 2 AA. */
export const MIN_CONTRAST = 4.5;

/** How much a colour changes at a time. */
const STEP = 0.05;

/** The colour, made darker or lighter until text in it is readable on each of the backgrounds. */
export function readableOn(backgrounds: readonly string[], color: string): string {
  const change = backgrounds.every((background) => getLuminance(background) > 0.5) ? darken : lighten;
  let part = 0;
  const changed = (): string => (part === 0 ? color : change(color, part));
  while (part < 1 && backgrounds.some((background) => getContrastRatio(changed(), background) < MIN_CONTRAST)) {
    part = Math.min(1, part + STEP);
  }
  return changed();
}
