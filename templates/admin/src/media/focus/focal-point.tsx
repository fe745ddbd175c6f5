/** The point of an image that stays in view: a mark that arrow keys move, and what is said about it. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { KeyboardEvent } from 'react';
import { useTranslate } from 'react-admin';
import type { FocalPoint } from '../../../../runtime/src/contract/focal-point.ts';

interface Props {
  readonly value: FocalPoint | null;
  readonly onChange: (value: FocalPoint | null) => void;
  readonly readOnly: boolean;
}

const MIDDLE: FocalPoint = { x: 50, y: 50 };
/** In percent. */
const STEP = 1;
/** With the shift key. */
const LARGE_STEP = 10;

/** Directions on the image, which is not mirrored where the panel is. */
const KEYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function within(percent: number): number {
  return Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10;
}

/** A point on the image. */
export function pointAt({ x, y }: FocalPoint): FocalPoint {
  return { x: within(x), y: within(y) };
}

function usePlace(value: FocalPoint | null): string {
  const { x, y } = value ?? MIDDLE;
  return useTranslate()('media.focalAt', { x: Math.round(x), y: Math.round(y) });
}

export function FocalMark({ value, onChange, readOnly }: Props) {
  const { x, y } = value ?? MIDDLE;
  function onKeyDown(event: KeyboardEvent): void {
    const direction = KEYS[event.key];
    if (!direction || readOnly) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onChange(pointAt({ x: x + direction[0] * step, y: y + direction[1] * step }));
  }
  return (
    <Box
      component="button"
      type="button"
      aria-label={usePlace(value)}
      disabled={readOnly}
      onKeyDown={onKeyDown}
      sx={{
        position: 'absolute',
        left: `${x}%`,
        top: `${y}%`,
        transform: 'translate(-50%, -50%)',
        width: 28,
        height: 28,
        p: 0,
        border: '3px solid #fff',
        borderRadius: '50%',
        outline: '2px solid #000',
        background: 'rgba(0, 0, 0, 0.25)',
        cursor: 'default',
        pointerEvents: 'none',
        '&:focus-visible': { outline: '4px solid', outlineColor: 'primary.main' },
      }}
    />
  );
}

export function FocalText({ value, onChange }: Omit<Props, 'readOnly'>) {
  const translate = useTranslate();
  const place = usePlace(value);
  return (
    <>
      <Typography variant="caption" color="text.secondary" component="p" sx={{ mt: 1 }}>
        {translate('media.focalHelp')}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <Typography variant="caption" aria-live="polite">
          {place}
        </Typography>
        {value && (
          <Button size="small" onClick={() => onChange(null)}>
            {translate('media.focalCentre')}
          </Button>
        )}
      </Box>
    </>
  );
}
