/** An image whose focal point is set by a click, or by arrow keys. Loaded only if images have focal points. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useTranslate } from 'react-admin';
import type { FocalPoint } from '../../../../runtime/src/contract/focal-point.ts';
import type { MediaFile } from '../media-file.ts';

interface Props {
  readonly file: MediaFile;
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

export default function FocalImage({ file, value, onChange, readOnly }: Props) {
  const translate = useTranslate();
  const { x, y } = value ?? MIDDLE;
  function onKeyDown(event: KeyboardEvent): void {
    const direction = KEYS[event.key];
    if (!direction || readOnly) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onChange({ x: within(x + direction[0] * step), y: within(y + direction[1] * step) });
  }
  function onClick({ currentTarget, clientX, clientY }: MouseEvent): void {
    if (readOnly) return;
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange({ x: within(((clientX - left) / width) * 100), y: within(((clientY - top) / height) * 100) });
  }
  const at = translate('media.focalAt', { x: Math.round(x), y: Math.round(y) });
  return (
    <div>
      <Box dir="ltr" sx={{ display: 'flex', justifyContent: 'center' }}>
        <Box sx={{ position: 'relative', lineHeight: 0 }}>
          <Box
            component="img"
            src={file.url}
            alt={file.alternativeText ?? file.name}
            onClick={onClick}
            sx={{ maxWidth: 1, maxHeight: 320, borderRadius: 1, cursor: readOnly ? undefined : 'crosshair' }}
          />
          <Box
            component="button"
            type="button"
            aria-label={at}
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
        </Box>
      </Box>
      {!readOnly && (
        <>
          <Typography variant="caption" color="text.secondary" component="p" sx={{ mt: 1 }}>
            {translate('media.focalHelp')}
          </Typography>
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
            <Typography variant="caption" aria-live="polite">
              {at}
            </Typography>
            {value && (
              <Button size="small" onClick={() => onChange(null)}>
                {translate('media.focalCentre')}
              </Button>
            )}
          </Box>
        </>
      )}
    </div>
  );
}
