/** The frame of what is shown before the sign-in, with the team's name and logo. */
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Logo, useTeamName } from '../own/team.tsx';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

function Team() {
  const name = useTeamName();
  return (
    <Stack
      direction="row"
      sx={{ gap: 1.5, mb: 3, alignItems: 'center', flexWrap: 'wrap', '&:empty': { display: 'none' } }}
    >
      <Logo alt="" height={40} />
      {name !== undefined && (
        <Typography component="p" variant="h6" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
      )}
    </Stack>
  );
}

export function StartPaper({ title, children }: Props) {
  return (
    <Box component="main" sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: 2 }}>
      <Paper variant="outlined" sx={{ p: 4, width: '100%', maxWidth: 400, boxSizing: 'border-box' }}>
        <Team />
        <Typography component="h1" variant="h5" gutterBottom>
          {title}
        </Typography>
        {children}
      </Paper>
    </Box>
  );
}
