import ToggleButton from '@mui/material/ToggleButton';
import { useListContext, useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';
import { changingAction, PERMITTED_FILTER } from '../rest/permitted-entries.ts';

/** Narrows a list to the entries that the rules of the role let the caller change; nothing if there are no such rules. */
export function PermittedFilter({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const action = changingAction(useMay(), type);
  const { filterValues, setFilters, displayedFilters } = useListContext();
  const { [PERMITTED_FILTER]: chosen, ...others } = filterValues as Record<string, unknown>;
  const isChosen = chosen === action;
  if (!type.rules?.where[action]) return null;
  return (
    <ToggleButton
      size="small"
      value={action}
      selected={isChosen}
      sx={{ py: 0.5, textTransform: 'none', whiteSpace: 'nowrap' }}
      onChange={() => setFilters(isChosen ? others : { ...others, [PERMITTED_FILTER]: action }, displayedFilters)}
    >
      {translate('list.permitted')}
    </ToggleButton>
  );
}
