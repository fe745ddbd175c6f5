import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { viewPath } from '../rest/list-views.ts';
import { useListView } from './use-list-view.ts';

/** Links to the views of the schema; nothing if there are none for the role. */
export function ViewTabs({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const index = useModel();
  const current = useListView(type);
  const { views = [] } = type;
  if (views.length === 0) return null;
  return (
    <Box
      component="nav"
      aria-label={translate('views.title')}
      sx={{ display: 'flex', overflowX: 'auto', borderBottom: 1, borderColor: 'divider' }}
    >
      {[undefined, ...views].map((view) => {
        const isCurrent = view === current;
        return (
          <Button
            key={view?.name ?? ''}
            component={Link}
            to={viewPath(type, view, index)}
            aria-current={isCurrent ? 'page' : undefined}
            color={isCurrent ? 'primary' : 'inherit'}
            sx={{
              flexShrink: 0,
              px: 2,
              borderRadius: 0,
              borderBottom: 2,
              borderColor: isCurrent ? 'primary.main' : 'transparent',
              textTransform: 'none',
            }}
          >
            {view ? (view.displayName ?? view.name) : translate('states.all')}
          </Button>
        );
      })}
    </Box>
  );
}
