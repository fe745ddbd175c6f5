/** Context of every screen, signed in or not: CSP-safe styles, theme, language and the store in localStorage. */
import { CacheProvider } from '@emotion/react';
import type { ReactNode } from 'react';
import { AdminContext, type AuthProvider, type DataProvider, localStorageStore } from 'react-admin';
import { useI18n } from '../i18n/i18n-context.ts';
import { createStrictCache } from './strict-styles.ts';
import { darkTheme, lightTheme } from './theme.ts';

const styles = createStrictCache();
const store = localStorageStore('1', 'content-gen');

interface Props {
  readonly dataProvider?: DataProvider;
  readonly authProvider?: AuthProvider;
  readonly children: ReactNode;
}

export function Shell({ dataProvider, authProvider, children }: Props) {
  return (
    <CacheProvider value={styles}>
      <AdminContext
        {...(dataProvider && { dataProvider })}
        {...(authProvider && { authProvider })}
        i18nProvider={useI18n()}
        store={store}
        theme={lightTheme}
        darkTheme={darkTheme}
        defaultTheme={matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'}
      >
        {children}
      </AdminContext>
    </CacheProvider>
  );
}
