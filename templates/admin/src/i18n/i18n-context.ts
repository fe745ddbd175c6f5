import { createContext, useContext } from 'react';
import type { I18nProvider } from 'react-admin';

const I18nContext = createContext<I18nProvider | undefined>(undefined);

export const I18n = I18nContext.Provider;

export function useI18n(): I18nProvider {
  const provider = useContext(I18nContext);
  if (!provider) throw new Error('useI18n is called outside of the I18n provider');
  return provider;
}
