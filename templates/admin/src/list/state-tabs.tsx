import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useListContext, useTranslate } from 'react-admin';
import { isState, STATE_FILTER, STATES } from '../rest/entry-state.ts';

const ALL = 'all';

/** Which entries a list has, by their state. */
export function StateTabs() {
  const translate = useTranslate();
  const { filterValues, setFilters, displayedFilters } = useListContext();
  const { [STATE_FILTER]: chosen, ...others } = filterValues as Record<string, unknown>;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={isState(chosen) ? chosen : ALL}
      aria-label={translate('entry.state')}
      onChange={(_event, state: string | null) => {
        if (state === null) return;
        setFilters(state === ALL ? others : { ...others, [STATE_FILTER]: state }, displayedFilters);
      }}
    >
      {[ALL, ...STATES].map((state) => (
        <ToggleButton key={state} value={state} sx={{ py: 0.5, textTransform: 'none' }}>
          {translate(`states.${state}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
