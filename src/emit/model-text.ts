/** Parts of the content model as text: the `source` of files that follow from them alone. */
import type { Attribute, Component, ContentType } from '../model/content-model.ts';

const texts = new WeakMap<ContentType | Component, string>();

/** Without what says nothing about generated code: places in the schema, and former names. */
function described(part: ContentType | Component | Attribute): object {
  const { location: _, renamedFrom: __, ...rest } = part;
  return rest;
}

/**
 * All that the generated code of a type or component follows from, besides the model's settings. Other types are in it by
 * their uid, from which their names follow. Kept, as several files are made from one.
 */
export function modelText(part: ContentType | Component): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify({ ...described(part), attributes: part.attributes.map(described) });
  texts.set(part, text);
  return text;
}
