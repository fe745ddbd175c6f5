/** Links to the entries that use a file. */
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { ReadProblem } from '../app/read-problem.tsx';
import { pluralOf, resourceOf } from '../model/model.ts';
import { useFileUses } from './file-uses.ts';

export function MediaUses({ file }: { readonly file: number }) {
  const translate = useTranslate();
  const id = useId();
  const { data: uses, error, refetch } = useFileUses(file);
  if (error) return <ReadProblem error={error} onRetry={() => void refetch()} />;
  if (uses === undefined) return null;
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="subtitle2" component="h2">
        {translate(uses.length === 0 ? 'media.unused' : 'media.uses')}
      </Typography>
      {uses.map(({ type, entries }) => (
        <Box component="ul" key={type.uid} aria-label={pluralOf(type)} sx={{ m: 0, pl: 2.5 }}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <MuiLink
                component={Link}
                to={type.kind === 'single' ? `/${resourceOf(type)}` : `/${resourceOf(type)}/${entry.id}`}
              >
                {entry.title}
              </MuiLink>
              <Typography component="span" variant="body2" color="text.secondary">
                {` ${type.displayName}`}
                {entry.isDraft === true && ` · ${translate('entry.draft')}`}
              </Typography>
            </li>
          ))}
        </Box>
      ))}
    </Box>
  );
}
