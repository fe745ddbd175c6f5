import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import {
  CreateButton,
  DataTable,
  downloadCSV,
  ExportButton,
  FilterButton,
  List,
  type RaRecord,
  TopToolbar,
  useResourceContext,
  useTranslate,
} from 'react-admin';
import { useMemo } from 'react';
import { useSession } from '../app/session.ts';
import { useHasDraft } from '../entry/entry-draft.ts';
import { useWriteRights } from '../entry/write-rights.ts';
import { StateChip } from '../entry/state-chip.tsx';
import { type ContentType, labelOf, pluralOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { MODIFIED_KEY, stateOf } from '../rest/entry-state.ts';
import { sortKeyOf } from '../rest/list-query.ts';
import { FIRST_ORDER } from '../rest/list-views.ts';
import { ImportButton } from '../import/import-button.tsx';
import { OwnListButtons } from '../own/own-list-buttons.tsx';
import { useOwnButtons } from '../own/own-pages.ts';
import { ScheduleMark } from '../schedule/schedule-mark.tsx';
import { type Schedule, useSchedules } from '../schedule/schedules.ts';
import { TrashButton } from '../trash/trash-button.tsx';
import { BulkActions, useCanChangeMany } from './bulk-actions.tsx';
import { Cell } from './cell.tsx';
import { ColumnsButton } from './columns-button.tsx';
import { useColumns, useCompactRows } from './columns.ts';
import { ConditionsButton } from './conditions-button.tsx';
import { ContentLocaleSelect, useContentLocale, useListLocale } from './content-locale.tsx';
import { csvOf } from './csv.ts';
import { listFilters } from './filters.tsx';
import { openElsewhere, RowLink } from './row-link.tsx';
import { PermittedFilter } from './permitted-filter.tsx';
import { StateTabs } from './state-tabs.tsx';
import { useListView } from './use-list-view.ts';
import { ViewTabs } from './view-tabs.tsx';
import { ViewsButton } from './views-button.tsx';

/** Maximum number of exported entries, read page by page. */
const MAX_EXPORTED = 10_000;

function ListActions({ type }: { readonly type: ContentType }) {
  const { canSave } = useWriteRights(type, undefined);
  const { locales } = useSession();
  const [locale] = useContentLocale();
  return (
    <TopToolbar sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1, pt: 2 }}>
      {type.localized && locales.length > 1 && <ContentLocaleSelect />}
      {canSave && <CreateButton variant="contained" />}
      <FilterButton />
      <ConditionsButton type={type} />
      <ViewsButton type={type} />
      <ColumnsButton type={type} />
      <TrashButton type={type} />
      <ImportButton type={type} locale={locale} />
      <ExportButton maxResults={MAX_EXPORTED} />
      <OwnListButtons type={type} />
    </TopToolbar>
  );
}

function Empty({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  return (
    <Typography sx={{ p: 4, textAlign: 'center' }}>{translate('list.empty', { name: pluralOf(type) })}</Typography>
  );
}

interface ColumnProps {
  readonly type: ContentType;
  readonly name: string;
  /** Whether its cells are links to the entries. */
  readonly isLinked: boolean;
}

function EntryColumn({ type, name, isLinked }: ColumnProps) {
  const source = sortKeyOf(type, name, useModel());
  const attribute = type.attributes[name];
  return (
    <DataTable.Col
      source={source ?? name}
      disableSort={source === undefined}
      label={labelOf(name, attribute)}
      render={(record: RaRecord) => {
        const cell = <Cell record={record} name={name} attribute={attribute} />;
        if (!isLinked) return cell;
        return (
          <RowLink type={type} record={record} isTitle={name === type.mainField}>
            {cell}
          </RowLink>
        );
      }}
    />
  );
}

function stateColumn(schedules: ReadonlyMap<number, Schedule>) {
  return (
    <DataTable.Col
      key="state"
      source="publishedAt"
      label="entry.state"
      render={({ id, publishedAt, [MODIFIED_KEY]: isModified }: RaRecord) => {
        const schedule = schedules.get(Number(id));
        return (
          <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
            <StateChip state={stateOf(publishedAt, isModified === true)} />
            {schedule && <ScheduleMark schedule={schedule} />}
          </Stack>
        );
      }}
    />
  );
}

function EntryTable({ type, columns }: { readonly type: ContentType; readonly columns: readonly string[] }) {
  const schedules = useSchedules(type);
  const linked = columns.includes(type.mainField) ? type.mainField : columns[0];
  const canChangeMany = useCanChangeMany(type);
  const hasOwnButtons = useOwnButtons('list', type.uid).length > 0;
  const [isCompact] = useCompactRows();
  return (
    <DataTable
      aria-label={pluralOf(type)}
      sx={{
        '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
        // Without a selection, its toolbar has no height, but would still have tab stops.
        '& .RaBulkActionsToolbar-collapsed': { visibility: 'hidden' },
        // On phones, it scrolls by itself.
        '& .RaBulkActionsToolbar-toolbar': { overflowX: 'auto', overflowY: 'hidden' },
        '& td': { unicodeBidi: 'plaintext', ...(isCompact && { py: 0 }) },
      }}
      onClickCapture={openElsewhere}
      onAuxClick={openElsewhere}
      rowClick="edit"
      empty={<Empty type={type} />}
      bulkActionButtons={(canChangeMany || hasOwnButtons) && <BulkActions type={type} />}
    >
      {columns.flatMap((name) => {
        const column = <EntryColumn key={name} type={type} name={name} isLinked={name === linked} />;
        // Beside the title, the state is visible on small screens, too.
        return name === linked && type.draftAndPublish ? [column, stateColumn(schedules)] : [column];
      })}
    </DataTable>
  );
}

function TypeList({ type }: { readonly type: ContentType }) {
  const index = useModel();
  const [columns] = useColumns(type);
  const locale = useListLocale(type);
  const filters = useMemo(() => listFilters(type, index), [type, index]);
  const shown = columns.length > 0 ? columns : ['id'];
  const hasDraft = useHasDraft(type);
  const view = useListView(type);
  return (
    <List
      title={pluralOf(type)}
      filters={filters}
      actions={<ListActions type={type} />}
      sort={FIRST_ORDER}
      perPage={25}
      empty={false}
      sx={{ '& .RaList-main, & .RaList-content': { minWidth: 0 } }}
      queryOptions={{ meta: { columns: shown, locale, withStates: hasDraft } }}
      exporter={(records: RaRecord[]) => downloadCSV(csvOf(records, type, shown, index), type.plural)}
    >
      <ViewTabs type={type} />
      <Stack
        direction="row"
        sx={{
          p: 1,
          gap: 2,
          overflowX: 'auto',
          borderBottom: 1,
          borderColor: 'divider',
          '&:empty': { display: 'none' },
        }}
      >
        {hasDraft && view?.state === undefined && <StateTabs />}
        <PermittedFilter type={type} />
      </Stack>
      <EntryTable type={type} columns={shown} />
    </List>
  );
}

/** The list of a type's entries. Filters, order and locale are kept in the URL. */
export function EntryList() {
  const type = useModel().of(useResourceContext() ?? '');
  return type ? <TypeList key={type.uid} type={type} /> : null;
}
