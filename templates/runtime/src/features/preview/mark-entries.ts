/** Adds to the entries and components of an answer what their texts are marked with. */
import { entrySource, itemSource, SOURCE } from '../../contract/source-marks.ts';
import { typeName } from '../../contract/type-name.ts';
import type { EntryShape } from '../../query/entry-shape.ts';
import type { EntrySelection, ItemSelection, Population } from '../../query/read-query.ts';

/** Whether entries of a type are marked for the caller. */
type IsMarked = (uid: string) => boolean;

type Values = Readonly<Record<string, unknown>>;

/** The answer has another form than its query: the project's own code has made it. */
export class OtherForm extends Error {}

function object(value: unknown): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new OtherForm();
  return value as Values;
}

/** Changes what a value that may be a list, or null, has. */
function each(value: unknown, change: (one: Values) => unknown): unknown {
  if (value === null) return null;
  return Array.isArray(value) ? value.map((one) => change(object(one))) : change(object(value));
}

function isWrapped(tree: ReturnType<EntryShape['related']>): boolean {
  return tree.kind === 'object';
}

/** As `each`, for the value of a relation. */
function related(value: unknown, wrapped: boolean, change: (one: Values) => unknown): unknown {
  if (!wrapped) return each(value, change);
  const { data } = object(value);
  if (data === undefined) throw new OtherForm();
  return { data: each(data, change) };
}

function idIn({ id }: Values): number {
  if (typeof id !== 'number') throw new OtherForm();
  return id;
}

function markedItem(
  item: Values,
  name: string,
  selections: readonly ItemSelection[],
  source: string | undefined,
  isMarked: IsMarked,
): Values {
  const uid = item['__component'];
  const selection = selections.find((one) => uid === undefined || one.uid === uid);
  if (!selection) throw new OtherForm();
  const own = source === undefined ? undefined : itemSource(source, name, idIn(item));
  return withSource(populated(item, selection.populate, own, isMarked), own);
}

function withSource(values: Values, source: string | undefined): Values {
  return source === undefined ? values : { ...values, [SOURCE]: source };
}

function markedValue(
  population: Population,
  value: unknown,
  source: string | undefined,
  isMarked: IsMarked,
): readonly [string, unknown] {
  switch (population.kind) {
    case 'relation': {
      const { relation, entry } = population;
      const wrapped = isWrapped(entry.shape.related(0));
      return [relation.name, related(value, wrapped, (one) => markedEntry(one, entry, isMarked))];
    }
    case 'morph': {
      const { relation, targets, shape } = population;
      const wrapped = isWrapped(shape.morph(0));
      return [
        relation.name,
        related(value, wrapped, (one) => {
          const name = one['__type'] ?? object(one['attributes'])['__type'];
          const target = targets.find(({ entry }) => typeName(entry.type.uid) === name);
          if (!target) throw new OtherForm();
          return markedEntry(one, target.entry, isMarked);
        }),
      ];
    }
    case 'component': {
      const { name } = population.component;
      return [name, each(value, (item) => markedItem(item, name, [population.item], source, isMarked))];
    }
    case 'zone': {
      const { name } = population.zone;
      return [name, each(value, (item) => markedItem(item, name, population.items, source, isMarked))];
    }
    case 'count':
      return [population.relation.name, value];
  }
}

function nameOf(population: Population): string {
  if (population.kind === 'component') return population.component.name;
  return population.kind === 'zone' ? population.zone.name : population.relation.name;
}

function populated(
  values: Values,
  populate: readonly Population[],
  source: string | undefined,
  isMarked: IsMarked,
): Values {
  const changed = populate.map((one) => {
    const value = values[nameOf(one)];
    if (value === undefined) throw new OtherForm();
    return markedValue(one, value, source, isMarked);
  });
  return { ...values, ...Object.fromEntries(changed) };
}

/** Throws OtherForm. */
export function markedEntry(entry: Values, { type, populate, shape }: EntrySelection, isMarked: IsMarked): Values {
  const source = isMarked(type.uid) ? entrySource(type.uid, idIn(entry)) : undefined;
  const marked = (values: Values): Values => withSource(populated(values, populate, source, isMarked), source);
  return isWrapped(shape.related(0)) ? { ...entry, attributes: marked(object(entry['attributes'])) } : marked(entry);
}

/** The body of an answer with marks. Throws OtherForm, and SyntaxError if it is no JSON. */
export function markedBody(body: string, selection: EntrySelection, isMarked: IsMarked): string {
  const answer = object(JSON.parse(body));
  if (answer['data'] === undefined) throw new OtherForm();
  const data = each(answer['data'], (one) => markedEntry(one, selection, isMarked));
  return JSON.stringify({ ...answer, data });
}
