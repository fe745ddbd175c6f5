/** Light and dark theme, with system fonts, so that no font is downloaded. */
import { MIN_CONTRAST, readableOn } from './readable-color.ts';
import { defaultDarkTheme, defaultLightTheme, type RaThemeOptions } from 'react-admin';

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

const shared: Partial<RaThemeOptions> = {
  typography: { fontFamily, h6: { fontWeight: 600 } },
  shape: { borderRadius: 8 },
};

const components: RaThemeOptions['components'] = {
  MuiTextField: { defaultProps: { variant: 'outlined', margin: 'none', size: 'small' } },
  MuiFormControl: { defaultProps: { variant: 'outlined', margin: 'none', size: 'small' } },
  MuiButton: { styleOverrides: { root: { textTransform: 'none' } } },
  MuiCheckbox: {
    defaultProps: {
      // react-admin sets aria-label on the wrapper, where assistive technology ignores it; move it to the input.
      slotProps: {
        root: { 'aria-label': undefined },
        input: (ownerState: { readonly 'aria-label'?: string }) => ({ 'aria-label': ownerState['aria-label'] }),
      },
    },
  },
  MuiToggleButton: { styleOverrides: { root: { border: 0 } } },
};

export const lightTheme: RaThemeOptions = {
  ...defaultLightTheme,
  ...shared,
  components: { ...defaultLightTheme.components, ...components },
  palette: {
    mode: 'light',
    primary: { main: '#3c4fc4' },
    secondary: { main: '#3c4fc4' },
    // Readable on the bar above selected rows, too.
    error: { main: '#b71c1c' },
    // White text is readable on it.
    warning: { main: '#a84300' },
    background: { default: '#f6f7fb', paper: '#ffffff' },
    text: { primary: '#1b1d2a', secondary: '#545869' },
  },
};

export const darkTheme: RaThemeOptions = {
  ...defaultDarkTheme,
  ...shared,
  components: { ...defaultDarkTheme.components, ...components },
  palette: {
    mode: 'dark',
    primary: { main: '#a9b4ff' },
    secondary: { main: '#a9b4ff' },
    error: { main: '#ff8a80' },
    background: { default: '#14151c', paper: '#1d1f29' },
    text: { primary: '#eceef7', secondary: '#b3b7c7' },
  },
};

const HEX = /^#[\da-f]{6}$/iu;

/** A theme in a colour of the team, as far as text is readable in it. Others than hexadecimal ones are left out. */
export function inColor(theme: RaThemeOptions, color: string | undefined): RaThemeOptions {
  if (color === undefined || !HEX.test(color)) return theme;
  const { background = {} } = theme.palette ?? {};
  const main = readableOn([background.default ?? '#ffffff', background.paper ?? '#ffffff'], color);
  return {
    ...theme,
    palette: { ...theme.palette, contrastThreshold: MIN_CONTRAST, primary: { main }, secondary: { main } },
  };
}
