/** The four numbers of a crop. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Crop } from '../../../../runtime/src/contract/crop.ts';
import { fitted, WHOLE } from './crop-area.ts';

interface FieldProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly disabled: boolean;
}

/** Shows what is typed until it is left, also if it is no number yet. */
function PercentField({ label, value, onChange, disabled }: FieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={label}
      type="number"
      size="small"
      margin="none"
      disabled={disabled}
      value={typed ?? String(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        const percent = Number(target.value);
        if (target.value !== '' && Number.isFinite(percent)) onChange(percent);
      }}
      onBlur={() => setTyped(undefined)}
      slotProps={{ htmlInput: { min: 0, max: 100, step: 'any' } }}
    />
  );
}

interface Props {
  readonly value: Crop | null;
  readonly onChange: (value: Crop | null) => void;
  readonly readOnly: boolean;
}

const SIDES = [
  ['x', 'media.cropLeft'],
  ['y', 'media.cropTop'],
  ['width', 'media.cropWidth'],
  ['height', 'media.cropHeight'],
] as const;

export function CropFields({ value, onChange, readOnly }: Props) {
  const translate = useTranslate();
  const help = useId();
  const crop = value ?? WHOLE;
  return (
    <Box
      role="group"
      aria-label={translate('media.crop')}
      aria-describedby={readOnly ? undefined : help}
      sx={{ mt: 1 }}
    >
      {!readOnly && (
        <Typography id={help} variant="caption" color="text.secondary" component="p" sx={{ mb: 1.5 }}>
          {translate('media.cropHelp')}
        </Typography>
      )}
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 1.5 }}>
        {SIDES.map(([side, label]) => (
          <PercentField
            key={side}
            label={translate(label)}
            value={crop[side]}
            onChange={(percent) => onChange(fitted({ ...crop, [side]: percent }))}
            disabled={readOnly}
          />
        ))}
      </Box>
      {value && !readOnly && (
        <Button size="small" onClick={() => onChange(null)} sx={{ mt: 0.5 }}>
          {translate('media.cropNone')}
        </Button>
      )}
    </Box>
  );
}
