/** Collects what planning needs from the schema in addition to its storage model. */
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { SchemaNotes } from './plan-migration.ts';
import { renamesOf } from '../history/rename.ts';

/** Renames, locations, and replacements of enumeration values. */
export function schemaNotes(model: ContentModel): SchemaNotes {
  const places = new Map<string, SourceLocation>();
  for (const { uid, location, attributes } of [...model.components, ...model.contentTypes]) {
    places.set(uid, location);
    for (const { name, location: place } of attributes) places.set(`${uid}.${name}`, place);
  }
  const valueChanges = [...model.components, ...model.contentTypes].flatMap(({ uid, attributes }) =>
    attributes.flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.enumFrom
        ? [[`${uid}.${attribute.name}`, attribute.enumFrom] as const]
        : [],
    ),
  );
  return { renames: renamesOf(model), places, valueChanges: new Map(valueChanges) };
}
