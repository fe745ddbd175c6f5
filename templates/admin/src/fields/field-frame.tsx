import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Attribute } from '../model/model.ts';
import { HelperLine } from './helper-line.tsx';

interface Props {
  readonly id: string;
  readonly label: ReactNode;
  readonly attribute: Attribute;
  readonly problem: string | undefined;
  /** Shown next to the label. */
  readonly aside?: ReactNode;
  /** How many words a long text has. */
  readonly words?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of a composite field: a group with a label above and a helper text below. */
export function FieldFrame({ id, label, attribute, problem, aside, words, children }: Props) {
  return (
    <Box role="group" aria-labelledby={id} aria-describedby={`${id}-help`} sx={{ minWidth: 0 }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, mb: 0.75, minHeight: 32 }}>
        <Typography id={id} component="span" variant="subtitle2" color={problem === undefined ? undefined : 'error'}>
          {label}
        </Typography>
        {aside}
      </Stack>
      {children}
      <FormHelperText id={`${id}-help`} error={problem !== undefined}>
        <HelperLine attribute={attribute} problem={problem} words={words} />
      </FormHelperText>
    </Box>
  );
}
