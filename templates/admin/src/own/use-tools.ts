/** What the team's own parts of the panel are given. */
import { useTheme } from '@mui/material/styles';
import { useMemo } from 'react';
import { useLocale, useNotify } from 'react-admin';
import type { PanelState, PanelTools } from '../../../runtime/src/contract/panel-part.ts';
import { ask } from '../rest/request.ts';
import { textIn } from './own-part.ts';

export function usePanelState(): PanelState {
  const language = useLocale();
  const { mode } = useTheme().palette;
  return useMemo(() => ({ language, isDark: mode === 'dark' }), [language, mode]);
}

export function usePanelTools(): PanelTools {
  const language = useLocale();
  const notify = useNotify();
  return {
    request: (path, { method = 'GET', body } = {}) =>
      ask({ method, path: path.replace(/^\/?(?:api\/)?/u, ''), ...(body !== undefined && { body }) }),
    // Texts of the team are no keys of the panel's.
    notify: (text, type = 'info') =>
      notify(textIn(text, language), { type, messageArgs: { _: textIn(text, language) } }),
  };
}
