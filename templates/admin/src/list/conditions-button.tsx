import TuneIcon from '@mui/icons-material/Tune';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import type { ContentType } from '../model/model.ts';
import { type ConditionGroups, CONDITIONS_FILTER, conditionsIn } from '../rest/conditions.ts';

const ConditionsDialog = lazy(() => import('./conditions-dialog.tsx'));

/** Opens the conditions of a list, and says how many it has. */
export function ConditionsButton({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  const { filterValues, setFilters, displayedFilters } = useListContext();
  const groups = conditionsIn(filterValues);
  const count = groups.flat().length;
  function apply(chosen: ConditionGroups): void {
    const { [CONDITIONS_FILTER]: _, ...others } = filterValues as Record<string, unknown>;
    setFilters(chosen.length === 0 ? others : { ...others, [CONDITIONS_FILTER]: chosen }, displayedFilters);
    setIsOpen(false);
  }
  return (
    <>
      <Button
        size="small"
        variant={count > 0 ? 'outlined' : 'text'}
        startIcon={<TuneIcon />}
        onClick={() => setIsOpen(true)}
      >
        {translate(count > 0 ? 'conditions.some' : 'conditions.title', { count })}
      </Button>
      {isOpen && (
        <Suspense>
          <ConditionsDialog type={type} groups={groups} onApply={apply} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
