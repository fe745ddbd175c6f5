import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import type { ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { useField } from './use-field.ts';

export function BooleanField(props: FieldProps<ScalarAttribute>) {
  const { id, field, problem, isReadOnly } = useField(props, { format: (value) => value === true });
  return (
    <FormControl error={problem !== undefined} disabled={isReadOnly}>
      <FormControlLabel
        label={fieldLabel(props)}
        control={
          <Switch
            id={id}
            checked={field.value === true}
            onChange={(_event, isOn) => field.onChange(isOn)}
            onBlur={field.onBlur}
          />
        }
      />
      <FormHelperText>
        <HelperLine attribute={props.attribute} problem={problem} />
      </FormHelperText>
    </FormControl>
  );
}
