/** Enters tags as chips, with those that are known. Loaded only where files have tags. */
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useDeferredValue, useState } from 'react';
import { useTranslate } from 'react-admin';
import { TAG_LIMITS } from '../../../../runtime/src/contract/upload-tags.ts';
import { useKnownTags } from './tags.ts';

interface Props {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  /** How many there can be. */
  readonly most?: number;
  readonly readOnly?: boolean;
  /** Whether files are found by them: then only those that are known are of use. */
  readonly isFilter?: boolean;
}

export default function TagsInput({
  label,
  value,
  onChange,
  most = TAG_LIMITS.tags,
  readOnly = false,
  isFilter = false,
}: Props) {
  const translate = useTranslate();
  const [word, setWord] = useState('');
  const asked = useDeferredValue(word.trim());
  const frequent = useKnownTags('');
  // If that is all there are, what is offered doesn't change while somebody chooses.
  const known = useKnownTags(frequent.length < TAG_LIMITS.known ? '' : asked);
  const isFull = value.length >= most;
  const add = (tags: readonly string[]): void =>
    onChange([...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))].slice(0, most));
  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect={!isFilter}
      filterSelectedOptions
      size={isFilter ? 'small' : 'medium'}
      readOnly={readOnly}
      options={isFull ? [] : [...known]}
      // While the server searches, those of the word before are shown.
      filterOptions={(options) => options.filter((tag) => tag.toLowerCase().includes(word.trim().toLowerCase()))}
      value={[...value]}
      inputValue={word}
      onInputChange={(_, text) => setWord(text.slice(0, TAG_LIMITS.length))}
      onChange={(_, tags) => add(tags)}
      sx={isFilter ? { width: { xs: 1, sm: 220 }, flexShrink: 0 } : {}}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          helperText={isFilter || readOnly ? undefined : translate('media.tagHint')}
        />
      )}
    />
  );
}
