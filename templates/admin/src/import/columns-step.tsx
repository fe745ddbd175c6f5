/** Which column becomes which attribute, and how the file is read. */
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'react-admin';
import { useSession } from '../app/session.ts';
import { useLocaleName } from '../list/content-locale.tsx';
import { type ContentType, labelOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { Choice } from './choice.tsx';
import { DATE_ORDERS, leftOut, namesOfTarget, possibleKeys } from './import-settings.ts';
import { DELIMITERS, ENCODINGS } from './read-file.ts';
import type { Import } from './use-import.ts';

/** How many rows are shown, and how much of a cell, in characters. */
const SHOWN_ROWS = 3;
const SHOWN_TEXT = 60;

interface Props {
  readonly type: ContentType;
  readonly of: Import & { readonly opened: NonNullable<Import['opened']> };
}

const DATES = { ymd: '2026-12-31', dmy: '31.12.2026', mdy: '12/31/2026' } as const;

function FileSettings({ of: { opened, again, change } }: Pick<Props, 'of'>) {
  const translate = useTranslate();
  const { table, settings, reading } = opened;
  return (
    <>
      <Choice
        label={translate('csv.encoding')}
        value={table.encoding}
        options={ENCODINGS.map((one) => [one, one.toUpperCase()] as const)}
        onChange={(encoding) => again({ ...reading, encoding })}
      />
      <Choice
        label={translate('csv.delimiter')}
        value={table.delimiter}
        options={DELIMITERS.map((one) => [one, one === '\t' ? translate('csv.tab') : one] as const)}
        onChange={(delimiter) => again({ ...reading, delimiter })}
      />
      <Choice
        label={translate('csv.decimal')}
        value={settings.decimal}
        options={[
          ['.', '1.5'],
          [',', '1,5'],
        ]}
        onChange={(decimal) => change({ decimal })}
      />
      <Choice
        label={translate('csv.dates')}
        value={settings.dates}
        options={DATE_ORDERS.map((one) => [one, DATES[one]] as const)}
        onChange={(dates) => change({ dates })}
      />
    </>
  );
}

function EntrySettings({ type, of: { opened, canPublish, change } }: Props) {
  const translate = useTranslate();
  const { locales } = useSession();
  const nameOf = useLocaleName();
  const { settings } = opened;
  const keys = possibleKeys(type, settings);
  const updateBy = settings.updateBy !== undefined && keys.includes(settings.updateBy) ? settings.updateBy : '';
  return (
    <>
      {type.localized && settings.locale !== undefined && (
        <Choice
          label={translate('entry.locale')}
          value={settings.locale}
          options={locales.map((code) => [code, nameOf(code)] as const)}
          onChange={(locale) => change({ locale })}
        />
      )}
      {type.draftAndPublish && (
        <Choice
          label={translate('csv.state')}
          value={settings.isDraft ? 'draft' : 'publish'}
          options={[
            ['draft', translate('csv.drafts')],
            ...(canPublish ? ([['publish', translate('csv.published')]] as const) : []),
          ]}
          onChange={(state) => change({ isDraft: state === 'draft' })}
        />
      )}
      {keys.length > 0 && (
        <Choice
          label={translate('csv.existing')}
          value={updateBy}
          options={[
            ['', translate('csv.createAll')],
            ...keys.map(
              (name) => [name, translate('csv.updateBy', { name: labelOf(name, type.attributes[name]) })] as const,
            ),
          ]}
          onChange={(name) => change({ updateBy: name === '' ? undefined : name })}
        />
      )}
    </>
  );
}

function ColumnRow({ type, of: { opened, names, change }, at }: Props & { readonly at: number }) {
  const translate = useTranslate();
  const index = useModel();
  const { table, settings } = opened;
  const title = table.header[at] ?? '';
  const column = settings.columns[at];
  const taken = new Set(
    Object.entries(settings.columns).flatMap(([other, { name }]) => (Number(other) === at ? [] : [name])),
  );
  const by = namesOfTarget(column && type.attributes[column.name], index);
  const choose = (name: string): void => {
    const { [at]: _former, ...others } = settings.columns;
    const [first] = namesOfTarget(type.attributes[name], index);
    const chosen = first === undefined ? { name } : { name, by: first };
    change({ columns: name === '' ? others : { ...others, [at]: chosen } });
  };
  const labelIn = (name: string): string => {
    const attribute = column && type.attributes[column.name];
    const target = attribute?.type === 'relation' ? index.type(attribute.target) : undefined;
    return name === 'id' ? 'id' : labelOf(name, target?.attributes[name]);
  };
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {title}
      </TableCell>
      {table.rows.slice(0, SHOWN_ROWS).map(({ line, cells }) => (
        <TableCell
          key={line}
          sx={{ maxWidth: 160, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {(cells[at] ?? '').slice(0, SHOWN_TEXT)}
        </TableCell>
      ))}
      <TableCell>
        <Stack direction="row" sx={{ gap: 1 }}>
          <Choice
            label={translate('csv.becomes', { title })}
            value={column?.name ?? ''}
            options={[
              ['', translate('csv.ignore')],
              ...names
                .filter((name) => !taken.has(name))
                .map((name) => [name, labelOf(name, type.attributes[name])] as const),
            ]}
            onChange={choose}
          />
          {column && by.length > 0 && (
            <Choice
              label={translate('csv.by', { title })}
              value={column.by ?? 'id'}
              options={by.map((name) => [name, labelIn(name)] as const)}
              onChange={(name) => change({ columns: { ...settings.columns, [at]: { ...column, by: name } } })}
            />
          )}
        </Stack>
      </TableCell>
    </TableRow>
  );
}

export function ColumnsStep({ type, of }: Props) {
  const translate = useTranslate();
  const { table } = of.opened;
  const left = leftOut(type);
  return (
    <Stack sx={{ gap: 2, pt: 1 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <FileSettings of={of} />
        <EntrySettings type={type} of={of} />
      </Stack>
      {left.length > 0 && <Alert severity="info">{translate('csv.leftOut', { names: left.join(', ') })}</Alert>}
      <Table size="small" aria-label={translate('csv.columns')}>
        <TableHead>
          <TableRow>
            <TableCell>{translate('csv.column')}</TableCell>
            {table.rows.slice(0, SHOWN_ROWS).map(({ line }) => (
              <TableCell key={line}>{translate('csv.lineOf', { line })}</TableCell>
            ))}
            <TableCell>{translate('csv.attribute')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {table.header.map((title, at) => (
            <ColumnRow key={`${at} ${title}`} type={type} of={of} at={at} />
          ))}
        </TableBody>
      </Table>
    </Stack>
  );
}
