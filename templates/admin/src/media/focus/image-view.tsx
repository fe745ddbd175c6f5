/**
 * An image whose focal point is set by a click or by arrow keys, and whose crop by dragging or by numbers. Loaded only if images have one
 * of these.
 */
import Box from '@mui/material/Box';
import { type PointerEvent, useRef } from 'react';
import type { Crop } from '../../../../runtime/src/contract/crop.ts';
import type { FocalPoint } from '../../../../runtime/src/contract/focal-point.ts';
import type { MediaFile } from '../media-file.ts';
import { cropBetween } from './crop-area.ts';
import { CropFields } from './crop-fields.tsx';
import { FocalMark, FocalText, pointAt } from './focal-point.tsx';

export interface View {
  readonly focalPoint: FocalPoint | null;
  readonly crop: Crop | null;
}

interface Props {
  readonly file: MediaFile;
  readonly has: { readonly focalPoints: boolean; readonly crops: boolean };
  readonly value: View;
  readonly onChange: (value: View) => void;
  readonly readOnly: boolean;
}

/** In percent: a hand is not still when it clicks. */
const LEAST_DRAG = 2;

function placeOf({ currentTarget, clientX, clientY }: PointerEvent): FocalPoint {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: ((clientX - left) / width) * 100, y: ((clientY - top) / height) * 100 };
}

/** What the pointer does on the image: it draws a crop, or sets the point. */
function usePointer({ has, value, onChange }: Props) {
  const start = useRef<FocalPoint>(undefined);
  const isDragged = useRef(false);
  return {
    onPointerDown(event: PointerEvent): void {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = placeOf(event);
      isDragged.current = false;
    },
    onPointerMove(event: PointerEvent): void {
      if (!start.current || !has.crops) return;
      const [from, to] = [start.current, placeOf(event)];
      isDragged.current ||= Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) >= LEAST_DRAG;
      if (isDragged.current) onChange({ ...value, crop: cropBetween(pointAt(from), pointAt(to)) });
    },
    onPointerUp(event: PointerEvent): void {
      if (start.current && !isDragged.current && has.focalPoints) {
        onChange({ ...value, focalPoint: pointAt(placeOf(event)) });
      }
      start.current = undefined;
    },
    onPointerCancel(): void {
      start.current = undefined;
    },
  };
}

/** What sizes show is bright, and the rest is not. */
function CropFrame({ x, y, width, height }: Crop) {
  return (
    <Box
      style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
      sx={{
        position: 'absolute',
        boxSizing: 'border-box',
        border: '2px dashed #fff',
        outline: '100vmax solid rgba(0, 0, 0, 0.55)',
        pointerEvents: 'none',
      }}
    />
  );
}

export default function ImageView(props: Props) {
  const { file, has, value, onChange, readOnly } = props;
  const { focalPoint, crop } = value;
  const pointer = usePointer(props);
  const setPoint = (point: FocalPoint | null): void => onChange({ ...value, focalPoint: point });
  const setCrop = (part: Crop | null): void => onChange({ ...value, crop: part });
  return (
    <div>
      <Box dir="ltr" sx={{ display: 'flex', justifyContent: 'center' }}>
        <Box sx={{ position: 'relative', lineHeight: 0 }}>
          <Box sx={{ position: 'relative', overflow: 'hidden', borderRadius: 1 }}>
            <Box
              component="img"
              src={file.url}
              alt={file.alternativeText ?? file.name}
              draggable={false}
              {...(!readOnly && pointer)}
              sx={{
                maxWidth: 1,
                maxHeight: 320,
                cursor: readOnly ? undefined : 'crosshair',
                touchAction: has.crops && !readOnly ? 'none' : undefined,
              }}
            />
            {has.crops && crop && <CropFrame {...crop} />}
          </Box>
          {has.focalPoints && <FocalMark value={focalPoint} onChange={setPoint} readOnly={readOnly} />}
        </Box>
      </Box>
      {has.focalPoints && !readOnly && <FocalText value={focalPoint} onChange={setPoint} />}
      {has.crops && <CropFields value={crop} onChange={setCrop} readOnly={readOnly} />}
    </div>
  );
}
