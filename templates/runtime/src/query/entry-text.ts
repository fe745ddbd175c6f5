/** The JSON of an entry as an expression of SQL, for statements that store it: its attributes, components and files, and to what it refers. */
import {
  type ApiSettings,
  type Attribute,
  type ContentType,
  type ContentTypes,
  isInverseStorage,
} from '../contract/content-type.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Sql } from '../database/sql.ts';
import { entryJson } from './compile/compile-entry.ts';
import { compilePopulation } from './compile/compile-population.ts';
import { createCompiler } from './compile/compiler.ts';
import { rootRows } from './compile/root-rows.ts';
import { type Format, TOLD_V4, V5 } from './format.ts';
import { queryOf } from './query-of.ts';
import type { EntrySelection, Population } from './read-query.ts';
import { createAllowList } from './readable-attributes.ts';
import { parseEntryQuery } from './top-level.ts';

/** The maximum length of each list: the rest is left out. */
const MAX_LISTED = 1000;
/** How deep components inside of components are shown. */
const MAX_DEPTH = 6;

type Attributes = Readonly<Record<string, Attribute>>;

/** The `populate` of everything that belongs to the entries of a type: not what others refer to them with. */
function populated({ components }: ContentTypes, attributes: Attributes, depth: number): object {
  const inside = (uid: string) => ({
    populate: populated({ components } as ContentTypes, components[uid]?.attributes ?? {}, depth + 1),
  });
  const named = Object.entries(attributes).flatMap(([name, attribute]): [string, object | true][] => {
    if (attribute.private) return [];
    switch (attribute.type) {
      case 'media':
        return [[name, true]];
      case 'relation':
        return isInverseStorage(attribute.storage) ? [] : [[name, true]];
      case 'component':
        return depth < MAX_DEPTH ? [[name, inside(attribute.component)]] : [];
      case 'dynamiczone':
        return [[name, { on: Object.fromEntries(attribute.components.map((uid) => [uid, inside(uid)])) }]];
      default:
        return [];
    }
  });
  return Object.fromEntries(named);
}

function limited(limit: number | undefined): number {
  return Math.min(limit ?? MAX_LISTED, MAX_LISTED);
}

/** An entry that another one refers to: only its ids. */
function referred(entry: EntrySelection): EntrySelection {
  return { ...entry, fields: [], populate: [] };
}

/** The populated attribute with bounded lists, and of relations only what they refer to. */
function told(population: Population): Population {
  switch (population.kind) {
    case 'relation': {
      const { relation, window, entry } = population;
      const isFile = relation.kind === 'relation' && relation.media;
      return {
        ...population,
        window: { ...window, limit: limited(window.limit) },
        entry: isFile ? entry : referred(entry),
      };
    }
    case 'morph': {
      const targets = population.targets.map(({ column, entry }) => ({ column, entry: referred(entry) }));
      return { ...population, targets, limit: limited(population.limit) };
    }
    case 'component': {
      const { item } = population;
      return { ...population, item: { ...item, populate: item.populate.map(told) } };
    }
    case 'zone':
      return { ...population, items: population.items.map((item) => ({ ...item, populate: item.populate.map(told) })) };
    case 'count':
      return population;
  }
}

/** The expression, and the row that it is about. */
export interface EntryText {
  /** The alias of the entry's row. */
  readonly alias: Sql;
  /** Its table with the alias. */
  readonly from: Sql;
  readonly text: Sql;
}

/** The format of a server's events: flat, with the names of its own format. */
function formatOf({ format }: ApiSettings): Format {
  return format === 'v5' ? V5 : TOLD_V4;
}

/** Compiles the text of entries of a type, without private attributes, in the format of the server. */
export function compileEntryText(
  dialect: Dialect,
  { types, api }: { readonly types: ContentTypes; readonly api: ApiSettings },
  type: ContentType,
): EntryText {
  const { entry } = parseEntryQuery(
    queryOf({ populate: populated(types, type.attributes, 0) }).tree(),
    {
      type,
      caller: serverCaller(types),
      format: formatOf(api),
      allowed: createAllowList(types),
      api: { ...api, maxPopulateDepth: MAX_DEPTH * 2, maxPopulatedPaths: 10_000 },
      bindings: undefined,
      narrowings: [],
      refusesHidden: false,
      aliases: false,
    },
    'draft',
  );
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, entry);
  const shown: EntrySelection = { ...entry, populate: entry.populate.map(told) };
  return { alias: rows.alias, from, text: dialect.jsonText(entryJson(compiler, shown, rows)) };
}
