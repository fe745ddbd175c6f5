/** Ctrl+K: goes to types, entries and screens, and runs commands of the form, by typing a part of their names. Loaded on demand. */
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import type { Theme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { visuallyHidden } from '@mui/utils';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useHref, useNavigate } from 'react-router';
import type { FormCommand } from '../app/form-commands.ts';
import { TypeIcon } from '../app/type-icon.tsx';
import { type Choice, usePaletteChoices } from './palette-choices.ts';

const listStyles = {
  m: 0,
  p: 0,
  overflowY: 'auto',
  '& [role="option"]': ({ palette, typography }: Theme) => ({
    ...typography.body2,
    display: 'flex',
    justifyContent: 'space-between',
    gap: '16px',
    padding: '8px 16px',
    cursor: 'pointer',
    '&[aria-selected="true"]': { backgroundColor: palette.action.selected },
    '&:hover': { backgroundColor: palette.action.hover },
    '& > span:first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& > span + span': { color: palette.text.secondary, whiteSpace: 'nowrap' },
  }),
} as const;

interface GroupProps {
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly idOf: (choice: Choice) => string;
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice, isElsewhere: boolean) => void;
}

function Group({ name, choices, idOf, chosen, onChoose }: GroupProps) {
  const id = useId();
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="overline" color="text.secondary" sx={{ display: 'block', px: 2, lineHeight: 2.2 }}>
        {name}
      </Typography>
      {choices.map((choice) => (
        <div
          key={choice.id}
          id={idOf(choice)}
          role="option"
          aria-selected={choice === chosen}
          onClick={({ ctrlKey, metaKey }) => onChoose(choice, ctrlKey || metaKey)}
        >
          <span>
            <TypeIcon icon={choice.icon} />
            {choice.label}
          </span>
          {choice.hint !== undefined && <span>{choice.hint}</span>}
        </div>
      ))}
    </Box>
  );
}

interface Props {
  /** Those of the form that the palette is opened over. */
  readonly commands: readonly FormCommand[];
  readonly onClose: () => void;
}

/** Returns a function that does what was chosen, or opens it in another tab. */
function useFollow(onClose: () => void): (choice: Choice, isElsewhere: boolean) => void {
  const navigate = useNavigate();
  const base = useHref('/').replace(/\/$/u, '');
  return ({ to, run }, isElsewhere) => {
    onClose();
    run?.();
    if (to === undefined) return;
    if (isElsewhere) open(`${base}${to}`, '_blank', 'noopener');
    else void navigate(to);
  };
}

function PaletteList({ commands, onClose }: Props) {
  const translate = useTranslate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { choices, isSearching, isCut, searched } = usePaletteChoices(text, commands);
  const chosen = choices[Math.min(at, choices.length - 1)];
  const follow = useFollow(onClose);
  const idOf = (choice: Choice): string => `${id}-${choices.indexOf(choice)}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length);
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      follow(chosen, event.ctrlKey || event.metaKey);
    }
  }
  const found = translate('palette.found', { smart_count: choices.length });
  const state = isSearching ? translate('palette.searching') : found;
  return (
    <>
      <Box sx={{ p: 2, pb: 1 }}>
        <TextField
          autoFocus
          fullWidth
          label={translate('palette.field')}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          slotProps={{
            htmlInput: {
              role: 'combobox',
              'aria-expanded': true,
              'aria-controls': id,
              'aria-autocomplete': 'list',
              'aria-activedescendant': chosen && idOf(chosen),
              autoComplete: 'off',
            },
          }}
        />
      </Box>
      <Box ref={list} id={id} role="listbox" aria-label={translate('palette.title')} sx={listStyles}>
        {[...new Set(choices.map(({ group }) => group))].map((name) => (
          <Group
            key={name}
            name={name}
            choices={choices.filter(({ group }) => group === name)}
            idOf={idOf}
            chosen={chosen}
            onChoose={follow}
          />
        ))}
      </Box>
      <Typography variant="body2" color="text.secondary" sx={{ px: 2, py: 1 }}>
        {choices.length === 0 && !isSearching && translate('palette.nothing')}
        {isSearching && translate('palette.searching')}
        {isCut && !isSearching && translate('palette.cut', { count: searched })}
      </Typography>
      <Box role="status" sx={visuallyHidden}>
        {state}
      </Box>
    </>
  );
}

export default function Palette(props: Props) {
  const translate = useTranslate();
  return (
    <Dialog
      open
      fullWidth
      maxWidth="sm"
      onClose={props.onClose}
      slotProps={{ paper: { 'aria-label': translate('palette.title') } }}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' }, '& .MuiDialog-paper': { maxHeight: '75vh' } }}
    >
      <PaletteList {...props} />
    </Dialog>
  );
}
