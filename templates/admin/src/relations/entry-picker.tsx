import AddIcon from '@mui/icons-material/Add';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import TextField from '@mui/material/TextField';
import { type ReactNode, type UIEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import type { ContentType } from '../model/model.ts';
import { type EntryRef, keyOf } from './entry-ref.ts';
import { useEntrySearch } from './entry-search.ts';

interface Props {
  readonly type: ContentType;
  readonly label: ReactNode;
  readonly value: EntryRef | null;
  readonly onChange: (entry: EntryRef | null) => void;
  readonly locale?: string | undefined;
  readonly size?: 'small' | 'medium';
  readonly disabled?: boolean;
  readonly error?: boolean;
  readonly helperText?: ReactNode;
  /** Whether the field is cleared after each selection. */
  readonly isAdding?: boolean;
  /** Opens the form of a new entry, whose title is what was typed. */
  readonly onCreate?: ((title: string) => void) | undefined;
}

/** The option that creates an entry. No entry has this id. */
const CREATE = 'create';

/** Distance in pixels from the end of the list at which the next page is loaded. */
const NEAR = 80;

/** Autocomplete that selects an entry of a type by title. */
export function EntryPicker({ type, label, value, onChange, locale, isAdding = false, onCreate, ...field }: Props) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  const [word, setWord] = useState('');
  const textOf = useProblemText();
  const { entries, isLoading, isCurrent, error, hasMore, readMore } = useEntrySearch(
    type,
    // The title of the selected entry is not a search term.
    word === value?.title ? '' : word,
    isOpen,
    locale,
  );
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    if (hasMore && !isLoading && scrollHeight - scrollTop - clientHeight < NEAR) readMore();
  };
  const typed = word === value?.title ? '' : word.trim();
  const createText = typed === '' ? translate('drawer.createNew') : translate('drawer.create', { title: typed });
  // An entry with just this title is rather chosen.
  const isThere = entries.some(({ title }) => title.toLowerCase() === typed.toLowerCase());
  const canCreate = onCreate !== undefined && isCurrent && !error && !isThere;
  return (
    <Autocomplete
      options={canCreate ? [...entries, { id: CREATE, title: createText }] : [...entries]}
      value={isAdding ? null : value}
      inputValue={word}
      open={isOpen}
      loading={isLoading}
      disabled={field.disabled === true}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      onInputChange={(_event, text) => setWord(text)}
      onChange={(_event, entry) => {
        if (entry?.id === CREATE) {
          setWord(isAdding ? '' : (value?.title ?? ''));
          onCreate?.(typed);
          return;
        }
        onChange(entry);
        if (isAdding) setWord('');
      }}
      filterOptions={(options) => options}
      getOptionLabel={({ title }) => title}
      getOptionKey={keyOf}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      blurOnSelect={isAdding ? false : 'touch'}
      clearOnBlur
      noOptionsText={error ? textOf(error) : translate('relation.none')}
      loadingText={translate('relation.searching')}
      clearText={translate('ra.action.clear_input_value')}
      openText={translate('ra.action.open')}
      closeText={translate('ra.action.close')}
      slotProps={{ listbox: { onScroll } }}
      renderOption={({ key, ...props }, entry) => (
        <Box component="li" key={key} {...props} sx={{ gap: 1 }}>
          {entry.id === CREATE && <AddIcon fontSize="small" />}
          {entry.title}
          {entry.isDraft === true && <Chip size="small" label={translate('entry.draft')} />}
        </Box>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          size={field.size ?? 'medium'}
          error={field.error === true}
          helperText={field.helperText}
        />
      )}
    />
  );
}
