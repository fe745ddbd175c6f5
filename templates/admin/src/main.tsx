import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from './app/page.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
