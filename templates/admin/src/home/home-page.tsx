/** The start page: what to go on with, what to begin, and everything there is. */
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { Title } from 'react-admin';
import { useModel } from '../model/model-context.tsx';
import { useTeamName } from '../own/team.tsx';
import { ContentPanel } from './content-panel.tsx';
import { NewEntries } from './new-entries.tsx';
import { PlanPanels } from './plan-panels.tsx';
import { WorkPanel } from './work-panel.tsx';

const columns = { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 340px' };

export default function HomePage() {
  const { model } = useModel();
  const name = useTeamName() ?? model.name;
  return (
    <Stack sx={{ gap: 2, mt: 2 }}>
      <Title title={name} />
      <NewEntries />
      <Box sx={{ display: 'grid', gap: 2, alignItems: 'start', gridTemplateColumns: columns }}>
        <Stack sx={{ gap: 2, minWidth: 0 }}>
          <WorkPanel />
          <PlanPanels />
        </Stack>
        <ContentPanel />
      </Box>
    </Stack>
  );
}
