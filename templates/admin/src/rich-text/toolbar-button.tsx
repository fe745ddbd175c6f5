import type SvgIcon from '@mui/material/SvgIcon';
import ToggleButton from '@mui/material/ToggleButton';
import Tooltip from '@mui/material/Tooltip';

interface Props {
  readonly label: string;
  readonly icon: typeof SvgIcon;
  readonly isActive?: boolean;
  readonly disabled?: boolean;
  /** Whether the icon points forward or back. */
  readonly isDirected?: boolean;
  readonly onClick: () => void;
}

/** In languages that are written from right to left, forward is left. */
const directed = { '[dir=rtl] &': { transform: 'scaleX(-1)' } } as const;

export function ToolbarButton({
  label,
  icon: Icon,
  isActive = false,
  disabled = false,
  isDirected = false,
  onClick,
}: Props) {
  return (
    <Tooltip title={label}>
      <span>
        <ToggleButton
          value={label}
          size="small"
          aria-label={label}
          selected={isActive}
          disabled={disabled}
          // Keeps the focus and selection in the editor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onClick}
          sx={{ p: 0.75, '&, &.Mui-disabled': { border: 0 } }}
        >
          <Icon fontSize="small" sx={isDirected ? directed : {}} />
        </ToggleButton>
      </span>
    </Tooltip>
  );
}
