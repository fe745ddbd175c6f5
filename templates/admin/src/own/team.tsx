/** The team's name and logo. */
import Box from '@mui/material/Box';
import { useLocale } from 'react-admin';
import { textIn, useOwnPart } from './own-part.ts';

/** The name that the team gives to the panel; undefined if it gives none. */
export function useTeamName(): string | undefined {
  const { name } = useOwnPart().panel;
  const language = useLocale();
  return name === undefined ? undefined : textIn(name, language);
}

/** `alt`: empty if the name is beside it. */
export function Logo({ alt, height }: { readonly alt: string; readonly height: number }) {
  const { logo } = useOwnPart().panel;
  if (typeof logo !== 'string') return undefined;
  return <Box component="img" src={logo} alt={alt} sx={{ display: 'block', height, maxWidth: 160 }} />;
}
