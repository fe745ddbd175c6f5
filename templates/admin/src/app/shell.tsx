/** Context of every screen, signed in or not: theme, language, its direction, and the store in localStorage. */
import { type ReactNode, useMemo } from 'react';
import { AdminContext, type AuthProvider, type DataProvider, localStorageStore } from 'react-admin';
import { useI18n } from '../i18n/i18n-context.ts';
import { useOwnPart } from '../own/own-part.ts';
import { LanguageTheme } from './language-theme.tsx';
import { darkTheme, inColor, lightTheme } from './theme.ts';

const store = localStorageStore('1', 'content-gen');

interface Props {
  readonly dataProvider?: DataProvider;
  readonly authProvider?: AuthProvider;
  readonly children: ReactNode;
}

export function Shell({ dataProvider, authProvider, children }: Props) {
  const { colors } = useOwnPart().panel;
  const light = useMemo(() => inColor(lightTheme, colors?.light), [colors]);
  const dark = useMemo(() => inColor(darkTheme, colors?.dark), [colors]);
  return (
    <AdminContext
      {...(dataProvider && { dataProvider })}
      {...(authProvider && { authProvider })}
      i18nProvider={useI18n()}
      store={store}
      theme={light}
      darkTheme={dark}
      defaultTheme={matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'}
    >
      <LanguageTheme>{children}</LanguageTheme>
    </AdminContext>
  );
}
