import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from './app/page.tsx';
import { I18n } from './i18n/i18n-context.ts';
import { openI18n } from './i18n/i18n-provider.ts';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <I18n value={await openI18n()}>
        <Page />
      </I18n>
    </StrictMode>,
  );
}
