/** The field of a to-many relation: an ordered list with a search that adds entries. */
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { visuallyHidden } from '@mui/utils';
import { useId, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { useProblemText } from '../app/problem-text.ts';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { useRawField } from '../fields/use-raw-field.ts';
import { labelOf, type RelationAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useReadRows } from '../rest/relation-rows.ts';
import { useEntryLink } from './entry-link.ts';
import { type EntryRef, keyOf } from './entry-ref.ts';
import { connect, indexOf, isRun, lengthOf, move, type RelationList, remove } from './relation-list.ts';
import { RelationRows } from './relation-rows.tsx';
import { TypedEntryPicker } from './typed-entry-picker.tsx';
import { useRelatedDrawer } from './use-related-drawer.tsx';

/** Returns a function that tells whether a list contains an entry; asks the server if the list is not fully loaded. */
function useIsInList(): (list: RelationList, entry: EntryRef) => Promise<boolean> {
  const readRows = useReadRows();
  return async (list, entry) => {
    const key = keyOf(entry);
    if (list.removed.some((other) => keyOf(other) === key)) return false;
    if (indexOf(list, (segment) => (!isRun(segment) && keyOf(segment.entry) === key ? 0 : -1)) !== -1) return true;
    if (list.head.some((other) => keyOf(other) === key)) return true;
    if (list.total <= list.head.length || !list.place) return false;
    return (await readRows(list.place, { filters: { id: { $eq: entry.id } } })).length > 0;
  };
}

export function RelationListField(props: FieldProps<RelationAttribute>) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const id = useId();
  const { attribute, name } = props;
  const { locale } = useFormMode();
  const { value: list, onChange, ...field } = useRawField<RelationList>(props, (value) => lengthOf(value) === 0);
  const isReadOnly = field.isReadOnly || attribute.morphBy !== undefined;
  const { getValues } = useFormContext();
  const index = useModel();
  const isInList = useIsInList();
  const linkOf = useEntryLink(attribute);
  const [spoken, setSpoken] = useState('');
  const total = lengthOf(list);
  const addOrSay = (entry: EntryRef | null): void => {
    add(entry).catch((error: unknown) => {
      notify(problemText(error), { type: 'error' });
    });
  };
  const { edit, createOf, drawer } = useRelatedDrawer(props.source, attribute, addOrSay);

  async function add(entry: EntryRef | null): Promise<void> {
    if (!entry) return;
    if (await isInList(list, entry)) {
      notify('relation.already', { type: 'warning', messageArgs: { title: entry.title } });
      return;
    }
    // The list may have changed while the server was asked.
    const current = getValues(props.source) as RelationList;
    if (current.segments.some((segment) => !isRun(segment) && keyOf(segment.entry) === keyOf(entry))) return;
    onChange(connect(current, entry));
    setSpoken(translate('relation.added', { title: entry.title, total: lengthOf(current) + 1 }));
  }
  function onMove(from: number, to: number, entry: EntryRef): void {
    onChange(move(list, from, to, entry));
    setSpoken(translate('relation.moved', { title: entry.title, position: to + 1, total }));
  }
  function onRemove(index: number, entry: EntryRef): void {
    onChange(remove(list, index, entry));
    setSpoken(translate('relation.removed', { title: entry.title, total: total - 1 }));
  }

  return (
    <FieldFrame
      id={id}
      label={fieldLabel(props)}
      attribute={attribute}
      problem={field.problem}
      aside={<Chip size="small" label={total} />}
    >
      <RelationRows
        list={list}
        label={labelOf(name, attribute)}
        isReadOnly={isReadOnly}
        linkOf={linkOf}
        onMove={onMove}
        onRemove={onRemove}
        onOpen={edit}
        targetOf={(entry) => index.type(entry.type ?? attribute.target)}
      />
      {!isReadOnly && (
        <Box sx={{ mt: 1 }}>
          <TypedEntryPicker
            attribute={attribute}
            label={translate('relation.add', { name: labelOf(name, attribute) })}
            value={null}
            onChange={addOrSay}
            createOf={createOf}
            locale={locale}
            size="small"
            isAdding
          />
        </Box>
      )}
      {drawer}
      <Box role="status" sx={visuallyHidden}>
        {spoken}
      </Box>
    </FieldFrame>
  );
}
