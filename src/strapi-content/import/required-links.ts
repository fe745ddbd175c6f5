/** Links without which the database takes no row: they are written with the rows of the entries, and these in an order. */
import type { Cell } from '#contract/content-transfer.ts';
import { isEnforced } from '#contract/content-type.ts';
import { CommandRefused } from '../command-refused.ts';
import type { LinkFile } from './link-files.ts';
import { DRAFT } from './row-states.ts';
import { type LinkContext, linksByState, rowsOfLinks, type StateLinks } from './rows-of-links.ts';
import type { SourceType, SourceTypes } from './source-types.ts';

type Cells = Readonly<Record<string, Cell>>;

export interface RequiredLinks {
  /** The columns of an entry. Throws CommandRefused if it lacks a link. */
  cellsOf(type: SourceType, row: number): Cells;
}

function enforcedNames({ type }: SourceType): readonly string[] {
  return Object.entries(type.attributes).flatMap(([name, attribute]) => (isEnforced(type, attribute) ? [name] : []));
}

/** Takes the required links out of the files. The others are left, also what is published of the required ones. */
export async function takeRequired(
  context: LinkContext,
  all: readonly LinkFile[],
): Promise<{ readonly required: RequiredLinks; readonly links: readonly StateLinks[] }> {
  const rows = new Map<string, ReadonlyMap<number, Cells>>();
  const links: StateLinks[] = [];
  for (const given of all.flatMap(linksByState)) {
    const { owner, component, name, attribute } = given.file;
    if (component !== undefined || given.state !== DRAFT || !isEnforced(owner.type, attribute)) {
      links.push(given);
      continue;
    }
    const own = new Map<number, Cells>();
    for await (const { id, ...cells } of rowsOfLinks(context, given).rows) own.set(Number(id), cells);
    rows.set(`${owner.type.uid}.${name}`, own);
  }
  const required: RequiredLinks = {
    cellsOf(type, row) {
      const cells = enforcedNames(type).map((name): Cells => {
        const found = rows.get(`${type.type.uid}.${name}`)?.get(row);
        if (found) return found;
        throw new CommandRefused(
          `${type.type.uid} ${row} of the archive has no ${name}, which is required. Set it in Strapi and export again, or remove \`required\` from ${type.type.uid}.${name} in the schema and build. Nothing was imported.`,
        );
      });
      return Object.assign({}, ...cells);
    },
  };
  return { required, links };
}

/** The types of each step, by their names in the archive: those that others require come first. */
export function requiredSteps({
  types,
}: SourceTypes): readonly { readonly types: ReadonlySet<string>; readonly isFirst: boolean }[] {
  const byUid = new Map([...types.values()].map((type) => [type.type.uid, type]));
  const ranks = new Map<string, number>();
  const rankOf = (uid: string): number => {
    const known = ranks.get(uid);
    if (known !== undefined) return known;
    ranks.set(uid, 0);
    const type = byUid.get(uid);
    const targets = type ? enforcedNames(type).map((name) => type.type.attributes[name]) : [];
    const own = targets.map((attribute) =>
      attribute && 'target' in attribute ? rankOf(attribute.target ?? '') + 1 : 0,
    );
    const rank = Math.max(0, ...own);
    ranks.set(uid, rank);
    return rank;
  };
  const steps: Set<string>[] = [new Set()];
  for (const [name, { type }] of types) (steps[rankOf(type.uid)] ??= new Set()).add(name);
  return Array.from(steps, (own, index) => ({ types: own ?? new Set<string>(), isFirst: index === 0 }));
}
