import { createContext, useContext } from 'react';
import type { Languages } from './i18n-provider.ts';

const I18nContext = createContext<Languages | undefined>(undefined);

export const I18n = I18nContext.Provider;

export function useI18n(): Languages {
  const provider = useContext(I18nContext);
  if (!provider) throw new Error('useI18n is called outside of the I18n provider');
  return provider;
}
