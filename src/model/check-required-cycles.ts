/** Cycles of required relations: their first entry could never be created. */
import { reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, RelationDefinition } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** A relation that entries of `type` require. */
interface Need {
  readonly type: ContentTypeDefinition;
  readonly relation: RelationDefinition;
  readonly target: string;
}

/** An empty list satisfies a required to-many relation. */
function isToOne({ relation }: RelationDefinition): boolean {
  return relation.value === 'oneToOne' || relation.value === 'manyToOne' || relation.value === 'oneWay';
}

/** The needs of a type. Drafts may lack anything, so a type with drafts breaks the cycle. */
function needsOf(type: ContentTypeDefinition): readonly Need[] {
  if (type.draftAndPublish) return [];
  return type.attributes.flatMap((attribute) =>
    attribute.kind === 'relation' && attribute.required && isToOne(attribute) && attribute.target !== undefined
      ? [{ type, relation: attribute, target: attribute.target.value }]
      : [],
  );
}

/** The shortest path from `need` back to its own type, including `need`. */
function cycleOf(needs: ReadonlyMap<string, readonly Need[]>, need: Need): readonly Need[] | undefined {
  const seen = new Set<string>();
  let paths: readonly (readonly Need[])[] = [[need]];
  while (paths.length > 0) {
    const cycle = paths.find((path) => path.at(-1)?.target === need.type.uid);
    if (cycle !== undefined) return cycle;
    paths = paths.flatMap((path) => {
      const target = path.at(-1)?.target ?? '';
      if (seen.has(target)) return [];
      seen.add(target);
      return (needs.get(target) ?? []).map((next) => [...path, next]);
    });
  }
  return undefined;
}

/** Reports each cycle of required relations once. */
export function checkRequiredCycles({ relatable, report }: ModelContext): void {
  const needs = new Map([...relatable].map(([uid, type]) => [uid, needsOf(type)]));
  const reported = new Set<RelationDefinition>();
  for (const need of [...needs.values()].flat()) {
    if (reported.has(need.relation)) continue;
    const cycle = cycleOf(needs, need);
    if (cycle === undefined) continue;
    for (const { relation } of cycle) reported.add(relation);
    const names = cycle.map(({ type, relation }) => named(`${type.uid}.${relation.name}`));
    reportError(report, {
      code: 'relation/required-cycle',
      message: `no entry of ${named(need.type.uid)} can be created, because these required relations form a cycle: ${names.join(' → ')}`,
      location: need.relation.location,
      related: cycle.slice(1).map(({ type, relation }) => ({
        message: `${named(`${type.uid}.${relation.name}`)} is required here`,
        location: relation.location,
      })),
      hint: 'remove `required` from one of them',
    });
  }
}
