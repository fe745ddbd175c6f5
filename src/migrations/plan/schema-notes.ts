/** Collects what planning needs from the schema in addition to its storage model. */
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { ContentModel, JsonValue } from '../../model/content-model.ts';
import { memberDefault } from '../../storage/column-default.ts';
import type { SchemaNotes } from './plan-migration.ts';
import { renamesOf } from '../history/rename.ts';

/** The defaults of attributes of components, by attribute. */
function memberDefaults({ components }: ContentModel): ReadonlyMap<string, JsonValue> {
  const defaults = new Map<string, JsonValue>();
  for (const { uid, attributes } of components) {
    for (const attribute of attributes) {
      const value = attribute.kind === 'scalar' ? memberDefault(attribute) : undefined;
      if (value !== undefined) defaults.set(`${uid}.${attribute.name}`, value);
    }
  }
  return defaults;
}

/** Renames, locations, replacements of enumeration values, and defaults inside components. */
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
  return {
    renames: renamesOf(model),
    places,
    valueChanges: new Map(valueChanges),
    memberDefaults: memberDefaults(model),
    databases: model.databases,
  };
}
