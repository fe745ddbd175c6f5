import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';

interface Props<State extends string> {
  readonly label: string;
  readonly states: readonly State[];
  /** Undefined: all. */
  readonly value: State | undefined;
  readonly nameOf: (state: State | undefined) => string;
  readonly onChange: (state: State | undefined) => void;
}

/** Which states are shown. */
export function StateChoice<State extends string>({ label, states, value, nameOf, onChange }: Props<State>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      sx={{ '& button': { textTransform: 'none' } }}
      aria-label={label}
      value={value ?? ''}
      onChange={(_event, state: State | '' | null) => onChange(state === '' || state === null ? undefined : state)}
    >
      <ToggleButton value="">{nameOf(undefined)}</ToggleButton>
      {states.map((state) => (
        <ToggleButton key={state} value={state}>
          {nameOf(state)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
