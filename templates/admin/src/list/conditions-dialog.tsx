/** Puts conditions together: alternatives, each of which can have several conditions. Loaded on demand. */
import AddIcon from '@mui/icons-material/Add';
import CloseIcon from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type ContentType, enumLabelOf, isScalar } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { EntryPicker } from '../relations/entry-picker.tsx';
import { useReadEntry } from '../relations/entry-search.ts';
import { type Condition, type ConditionGroups, type Operator, takesValue } from '../rest/conditions.ts';
import { type ConditionAttribute, conditionAttributes } from './condition-attributes.ts';

interface ValueProps {
  readonly about: ConditionAttribute;
  readonly value: Condition['value'];
  readonly onChange: (value: Condition['value']) => void;
}

function EntryValue({ type, value, onChange }: Omit<ValueProps, 'about'> & { readonly type: ContentType }) {
  const translate = useTranslate();
  const readEntry = useReadEntry();
  const { data } = useQuery({
    queryKey: ['entry-title', type.uid, value],
    queryFn: async () => (await readEntry(type, Number(value))) ?? null,
    enabled: value !== undefined,
  });
  return (
    <EntryPicker
      type={type}
      label={translate('conditions.value')}
      size="small"
      value={value === undefined ? null : (data ?? { id: Number(value), title: `#${value}` })}
      onChange={(entry) => onChange(entry?.id)}
    />
  );
}

const INPUT_TYPES: Readonly<Partial<Record<ConditionAttribute['kind'], string>>> = {
  date: 'date',
  datetime: 'datetime-local',
};

function SelectedValue({ children, value, onChange }: Omit<ValueProps, 'about'> & { readonly children: ReactNode }) {
  const translate = useTranslate();
  return (
    <TextField
      select
      fullWidth
      size="small"
      label={translate('conditions.value')}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </TextField>
  );
}

/** Days and times of the person as the API has them. */
function textOfValue(kind: ConditionAttribute['kind'], value: Condition['value']): string {
  if (kind !== 'datetime' || typeof value !== 'string' || value === '') return String(value ?? '');
  const date = new Date(value);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function valueOfText(kind: ConditionAttribute['kind'], text: string): string {
  return kind === 'datetime' && text !== '' ? new Date(text).toISOString() : text;
}

function ValueField({ about, value, onChange }: ValueProps) {
  const translate = useTranslate();
  const index = useModel();
  const { kind, attribute } = about;
  if (kind === 'entry') {
    const target = attribute?.type === 'relation' ? index.type(attribute.target) : undefined;
    return target ? <EntryValue type={target} value={value} onChange={onChange} /> : null;
  }
  if (kind === 'boolean') {
    return (
      <SelectedValue value={value === undefined ? '' : String(value)} onChange={(text) => onChange(text === 'true')}>
        <MenuItem value="true">{translate('list.yes')}</MenuItem>
        <MenuItem value="false">{translate('list.no')}</MenuItem>
      </SelectedValue>
    );
  }
  if (kind === 'choice') {
    if (!attribute || !isScalar(attribute)) return null;
    return (
      <SelectedValue value={value} onChange={onChange}>
        {(attribute.enum ?? []).map((choice) => (
          <MenuItem key={choice} value={choice}>
            {enumLabelOf(attribute, choice)}
          </MenuItem>
        ))}
      </SelectedValue>
    );
  }
  return (
    <TextField
      fullWidth
      size="small"
      type={INPUT_TYPES[kind] ?? 'text'}
      label={translate('conditions.value')}
      value={textOfValue(kind, value)}
      onChange={({ target }) => onChange(valueOfText(kind, target.value))}
      slotProps={{
        inputLabel: INPUT_TYPES[kind] === undefined ? {} : { shrink: true },
        htmlInput: { inputMode: kind === 'number' ? 'decimal' : undefined },
      }}
    />
  );
}

interface RowProps {
  readonly attributes: readonly ConditionAttribute[];
  readonly condition: Condition;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

function newCondition({ name, attribute, operators }: ConditionAttribute, operator?: Operator): Condition {
  const isLink = attribute !== undefined && !isScalar(attribute);
  return { attribute: name, operator: operator ?? operators[0] ?? 'is', ...(isLink && { isLink: true }) };
}

function ConditionRow({ attributes, condition, onChange, onRemove }: RowProps) {
  const translate = useTranslate();
  const about = attributes.find(({ name }) => name === condition.attribute) ?? attributes[0];
  if (!about) return null;
  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} role="group" sx={{ gap: 1, alignItems: { sm: 'center' } }}>
      <TextField
        select
        size="small"
        label={translate('conditions.attribute')}
        value={about.name}
        onChange={({ target }) => {
          const chosen = attributes.find(({ name }) => name === target.value);
          if (chosen) onChange(newCondition(chosen));
        }}
        sx={{ flex: 1, minWidth: 0 }}
      >
        {attributes.map(({ name, label }) => (
          <MenuItem key={name} value={name}>
            {label}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        size="small"
        label={translate('conditions.operator')}
        value={condition.operator}
        onChange={({ target }) => {
          const { value, ...rest } = condition;
          const operator = target.value as Operator;
          onChange({ ...rest, operator, ...(takesValue(operator) && value !== undefined && { value }) });
        }}
        sx={{ width: { sm: 150 } }}
      >
        {about.operators.map((operator) => (
          <MenuItem key={operator} value={operator}>
            {translate(`conditions.${operator}`)}
          </MenuItem>
        ))}
      </TextField>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {takesValue(condition.operator) && (
          <ValueField
            key={about.name}
            about={about}
            value={condition.value}
            onChange={(value) => {
              const { value: _, ...rest } = condition;
              onChange(value === undefined ? rest : { ...rest, value });
            }}
          />
        )}
      </Box>
      <IconButton size="small" aria-label={translate('conditions.remove', { name: about.label })} onClick={onRemove}>
        <CloseIcon fontSize="small" />
      </IconButton>
    </Stack>
  );
}

/** A condition without a value is not one yet. */
function isComplete({ operator, value }: Condition): boolean {
  return !takesValue(operator) || (value !== undefined && value !== '');
}

/** `item`: undefined removes the one at the index. */
function replaced<T>(list: readonly T[], at: number, item: T | undefined): readonly T[] {
  return [...list.slice(0, at), ...(item === undefined ? [] : [item]), ...list.slice(at + 1)];
}

/** The most conditions of a list: the server limits the weight of filters. */
const MAX = 20;

interface Props {
  readonly type: ContentType;
  readonly groups: ConditionGroups;
  readonly onApply: (groups: ConditionGroups) => void;
  readonly onClose: () => void;
}

export default function ConditionsDialog({ type, groups: applied, onApply, onClose }: Props) {
  const translate = useTranslate();
  const attributes = conditionAttributes(type, useModel());
  const [first] = attributes;
  const begin = first ? [[newCondition(first)]] : [];
  const [groups, setGroups] = useState<ConditionGroups>(applied.length > 0 ? applied : begin);
  const isFull = groups.flat().length >= MAX;
  if (!first) return null;
  const setGroup = (at: number, group: readonly Condition[]): void =>
    setGroups(replaced(groups, at, group.length > 0 ? group : undefined));
  return (
    <Dialog open fullWidth maxWidth="md" onClose={onClose} aria-labelledby="conditions-title">
      <DialogTitle id="conditions-title">{translate('conditions.title')}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2, pt: 1 }}>
          {groups.map((group, at) => (
            // Without a key of their own, conditions have their place.
            <Stack key={at} sx={{ gap: 1.5 }}>
              {at > 0 && <Typography variant="subtitle2">{translate('conditions.or')}</Typography>}
              {group.map((condition, place) => (
                <ConditionRow
                  key={place}
                  attributes={attributes}
                  condition={condition}
                  onChange={(changed) => setGroup(at, replaced(group, place, changed))}
                  onRemove={() => setGroup(at, replaced(group, place, undefined))}
                />
              ))}
              <Button
                size="small"
                startIcon={<AddIcon />}
                disabled={isFull}
                onClick={() => setGroup(at, [...group, newCondition(first)])}
                sx={{ alignSelf: 'flex-start' }}
              >
                {translate('conditions.and')}
              </Button>
            </Stack>
          ))}
          <Button
            startIcon={<AddIcon />}
            disabled={isFull}
            onClick={() => setGroups([...groups, [newCondition(first)]])}
            sx={{ alignSelf: 'flex-start' }}
          >
            {translate(groups.length === 0 ? 'conditions.first' : 'conditions.alternative')}
          </Button>
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onApply([])}>{translate('conditions.clear')}</Button>
        <Button
          variant="contained"
          onClick={() => onApply(groups.map((group) => group.filter(isComplete)).filter((group) => group.length > 0))}
        >
          {translate('conditions.apply')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
