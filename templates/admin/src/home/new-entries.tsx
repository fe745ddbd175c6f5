/** Buttons for new entries of the types that were opened last. */
import AddIcon from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useRecentTypes } from '../palette/recent-types.ts';

/** How many types have a button; the others have one in the list of all types. */
const MAX = 6;

/** Returns a function that tells whether the role may create entries of a type. */
export function useMayCreate(): (type: ContentType) => boolean {
  const may = useMay();
  return ({ uid, kind, draftAndPublish }) =>
    kind === 'collection' && (may(uid, 'create') || (draftAndPublish && may(uid, 'draft')));
}

export function NewEntries() {
  const translate = useTranslate();
  const { model } = useModel();
  const recent = useRecentTypes();
  const types = model.types.filter(useMayCreate());
  const first = recent.flatMap((uid) => types.find((type) => type.uid === uid) ?? []);
  const shown = [...new Set([...first, ...types])].slice(0, MAX);
  if (shown.length === 0) return null;
  return (
    <Stack
      component="ul"
      direction="row"
      aria-label={translate('home.new')}
      sx={{ flexWrap: 'wrap', gap: 1, p: 0, m: 0 }}
    >
      {shown.map((type) => (
        <Box component="li" key={type.uid} sx={{ listStyle: 'none' }}>
          <Button
            component={Link}
            to={`/${resourceOf(type)}/create`}
            variant="outlined"
            startIcon={<AddIcon />}
            aria-label={translate('home.newOf', { name: type.displayName })}
          >
            {type.displayName}
          </Button>
        </Box>
      ))}
    </Stack>
  );
}
