/** `renamedFrom`: it must be a valid name, and must no longer be in use. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located } from '../schema/definition.ts';
import { attributeNamePattern, componentNamePattern, typeNamePattern } from '../schema/name-patterns.ts';
import { type ModelContext, ownersOf } from './model-context.ts';

/** Something that may have been renamed. */
interface Renamed {
  readonly name: string;
  readonly location: SourceLocation;
  readonly renamedFrom: Located<string> | undefined;
}

interface Fault {
  readonly message: string;
  readonly other?: { readonly message: string; readonly location: SourceLocation };
  readonly hint?: string;
}

function faultOf(thing: Renamed, former: string, things: readonly Renamed[]): Fault | undefined {
  if (former === thing.name) return { message: 'is also its current name' };
  const claim = things.find((other) => other.renamedFrom?.value === former);
  if (claim !== undefined && claim !== thing) {
    const location = claim.renamedFrom?.location ?? claim.location;
    return {
      message: `is also the former name of ${named(claim.name)}`,
      other: { message: 'it is used here', location },
    };
  }
  // Whatever has the former name now must have been renamed too: the two have exchanged their names.
  const present = things.find((other) => other.name === former && other.renamedFrom === undefined);
  if (present === undefined) return undefined;
  const hint = `if a migration for this rename already exists, remove \`renamedFrom\`. If the two have exchanged their names, also add renamedFrom: ${thing.name} to ${named(former)}. If ${named(former)} is new, first build without it; then add it, remove \`renamedFrom\`, and build again`;
  return { message: 'is still in use', other: { message: 'it is defined here', location: present.location }, hint };
}

function checkRenames(report: Report, things: readonly Renamed[], grammar: RegExp): void {
  for (const thing of things) {
    const { name, renamedFrom } = thing;
    if (renamedFrom === undefined) continue;
    const former = renamedFrom.value;
    const fault = grammar.test(former) ? faultOf(thing, former, things) : { message: 'is not a valid name' };
    if (fault === undefined) continue;
    reportError(report, {
      code: 'name/renamed',
      message: `${named(name)} can't be renamed from ${named(former)}, which ${fault.message}`,
      location: renamedFrom.location,
      related: fault.other && [fault.other],
      hint: fault.hint ?? 'remove `renamedFrom` once the migration exists',
    });
  }
}

/** Reports invalid former names of types, components and attributes. */
export function checkFormerNames({ schema, report }: ModelContext): void {
  const byUid = ({ uid, location, renamedFrom }: (typeof schema.components)[number]): Renamed => ({
    name: uid,
    location,
    renamedFrom,
  });
  checkRenames(report, schema.contentTypes.map(byUid), typeNamePattern);
  checkRenames(report, schema.components.map(byUid), componentNamePattern);
  for (const { attributes } of ownersOf(schema)) checkRenames(report, attributes, attributeNamePattern);
}
