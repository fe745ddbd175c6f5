/** An element that a function of the team fills. Whatever that function does, the rest of the screen goes on. */
import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import type { Shown } from '../../../runtime/src/contract/panel-part.ts';

/** Colours of the theme, for styles of the team. */
const colors = ({ palette }: Theme) => ({
  '--panel-primary': palette.primary.main,
  '--panel-text': palette.text.primary,
  '--panel-muted': palette.text.secondary,
  '--panel-border': palette.mode === 'dark' ? 'rgba(255, 255, 255, 0.23)' : 'rgba(0, 0, 0, 0.23)',
  '--panel-surface': palette.background.paper,
  '--panel-error': palette.error.main,
  colorScheme: palette.mode,
});

interface Props<State> {
  readonly show: (host: HTMLElement) => Shown<State>;
  /** A new object whenever something has changed. */
  readonly state: State;
  /** Around each call of the team's code. */
  readonly around?: (call: () => void) => void;
  readonly onFailure: (error: unknown) => void;
}

export function OwnHost<State>({ show, state, around = (call) => call(), onFailure }: Props<State>) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown<State>>(undefined);
  // The functions of the latest render; the element is filled only once.
  const latest = useRef({ show, around, onFailure });
  latest.current = { show, around, onFailure };
  const attempt = (act: () => void): void => {
    try {
      latest.current.around(act);
    } catch (error) {
      reportError(error);
      latest.current.onFailure(error);
    }
  };
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    attempt(() => (shown.current = latest.current.show(element)));
    return () => {
      attempt(() => shown.current?.remove?.());
      shown.current = undefined;
      element.replaceChildren();
    };
  }, []);
  useEffect(() => attempt(() => shown.current?.update?.(state)), [state]);
  return <Box ref={host} sx={colors} />;
}
