/** Everything in the direction of the panel's language. */
import { CacheProvider } from '@emotion/react';
import { type Theme, ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useLocale } from 'react-admin';
import { directionOf } from '../i18n/direction.ts';
import { mirrorRule } from './mirror-rule.ts';
import { createStrictCache } from './strict-styles.ts';

const styles = createStrictCache('css');
let mirrored: ReturnType<typeof createStrictCache> | undefined;

/** Made once somebody needs it. */
function mirroredStyles() {
  mirrored ??= createStrictCache('rtl', mirrorRule);
  return mirrored;
}

export function Direction({ children }: { readonly children: ReactNode }) {
  const direction = directionOf(useLocale());
  return (
    <CacheProvider value={direction === 'rtl' ? mirroredStyles() : styles}>
      <ThemeProvider theme={(theme: Theme) => ({ ...theme, direction })}>{children}</ThemeProvider>
    </CacheProvider>
  );
}
