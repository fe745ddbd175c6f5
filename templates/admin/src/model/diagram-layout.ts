/** Layout of the model diagram: places the boxes of types in columns. */
import type { ContentType } from './model.ts';
import type { ModelIndex } from './model-context.tsx';

/** In pixels. */
export const ROW = 22;
const WIDTH = 200;
const GAP = 70;
const MARGIN = 40;

export interface PlacedType {
  readonly type: ContentType;
  /** The names of its relations. */
  readonly relations: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function relationsOf({ attributes }: ContentType): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { type }]) => (type === 'relation' ? [name] : []));
}

/** Adds each box to the column that is currently shortest. */
export function placeTypes(types: readonly ContentType[]): readonly PlacedType[] {
  const columns = Array.from({ length: Math.max(Math.ceil(Math.sqrt(types.length)), 1) }, () => MARGIN);
  return types.map((type) => {
    const relations = relationsOf(type);
    const height = ROW * (relations.length + 1) + 14;
    const column = columns.indexOf(Math.min(...columns));
    const y = columns[column] ?? MARGIN;
    columns[column] = y + height + GAP / 2;
    return { type, relations, x: MARGIN + column * (WIDTH + GAP), y, width: WIDTH, height };
  });
}

export interface RelationLine {
  readonly key: string;
  /** The `d` attribute of an SVG path. */
  readonly path: string;
}

/** Lines from the row of a relation to the header of its target; a bidirectional relation has one line, from its owning side. */
export function relationLines(placed: readonly PlacedType[], index: ModelIndex): readonly RelationLine[] {
  const boxes = new Map(placed.map((one) => [one.type.uid, one]));
  return placed.flatMap((from) =>
    from.relations.flatMap((name, row) => {
      const attribute = from.type.attributes[name];
      if (attribute?.type !== 'relation' || attribute.mappedBy !== undefined) return [];
      return (attribute.targets ?? [attribute.target]).flatMap((uid) => {
        const to = boxes.get(index.type(uid)?.uid ?? '');
        return to ? [{ key: `${from.type.uid}.${name}.${to.type.uid}`, path: curve(from, row, to) }] : [];
      });
    }),
  );
}

function curve(from: PlacedType, row: number, to: PlacedType): string {
  const y = from.y + ROW * (row + 2) - 4;
  const end = to.y + 18;
  const isRight = to.x > from.x;
  const x = isRight ? from.x + from.width : from.x;
  const target = isRight ? to.x : to.x + to.width;
  const bend = from === to || to.x === from.x ? -GAP / 2 : isRight ? GAP / 2 : -GAP / 2;
  const entry = to.x === from.x ? to.x : target;
  return `M ${x} ${y} C ${x + bend} ${y}, ${entry - (to.x === from.x ? -bend : bend)} ${end}, ${entry} ${end}`;
}
