/** A page of the team's own: `/-/statistics`, a path that no type has. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { NotFound, Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router';
import type { PanelPage } from '../../../runtime/src/contract/panel-part.ts';
import { OwnHost } from './own-host.tsx';
import { textIn } from './own-part.ts';
import { useOwnPages } from './own-pages.ts';
import { usePanelState, usePanelTools } from './use-tools.ts';

function ShownPage({ page: { title, show } }: { readonly page: PanelPage }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const tools = usePanelTools();
  const state = usePanelState();
  const [hasFailed, setHasFailed] = useState(false);
  const name = textIn(title, state.language);
  return (
    <>
      <Title title={name} />
      <Box sx={{ mt: 2 }}>
        {hasFailed ? (
          <Alert severity="error">{translate('own.failed', { name })}</Alert>
        ) : (
          <OwnHost
            show={(host) => show({ ...tools, host, open: (path) => void navigate(`/${path.replace(/^\//u, '')}`) })}
            state={state}
            onFailure={() => setHasFailed(true)}
          />
        )}
      </Box>
    </>
  );
}

export default function OwnPage() {
  const { path } = useParams();
  const page = useOwnPages().find((one) => one.path === path);
  return page ? <ShownPage key={path} page={page} /> : <NotFound />;
}
