/** Everything in the direction of the panel's language, with its words where a component of the library has none. */
import { CacheProvider } from '@emotion/react';
import { type Theme, ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useLocale, useTranslate } from 'react-admin';
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

export function LanguageTheme({ children }: { readonly children: ReactNode }) {
  const direction = directionOf(useLocale());
  const loading = useTranslate()('ra.page.loading');
  const inLanguage = (theme: Theme): Theme => ({
    ...theme,
    direction,
    components: { ...theme.components, MuiCircularProgress: { defaultProps: { 'aria-label': loading } } },
  });
  return (
    <CacheProvider value={direction === 'rtl' ? mirroredStyles() : styles}>
      <ThemeProvider theme={inLanguage}>{children}</ThemeProvider>
    </CacheProvider>
  );
}
