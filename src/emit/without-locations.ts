/** Reduces the content model to what generated files depend on. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Component, ContentModel, ContentType } from '../model/content-model.ts';

/** Replaces every location, so that a schema with a different layout produces the same input. */
const NOWHERE: SourceLocation = { file: '', line: 1, column: 1, length: 0 };

function withoutLocation<T extends ContentType | Component>(part: T): T {
  const attributes = part.attributes.map((attribute) => ({ ...attribute, renamedFrom: undefined, location: NOWHERE }));
  return { ...part, renamedFrom: undefined, location: NOWHERE, attributes };
}

/** The model without source locations and former names. */
export function withoutLocations(model: ContentModel): ContentModel {
  return {
    ...model,
    contentTypes: model.contentTypes.map(withoutLocation),
    components: model.components.map(withoutLocation),
  };
}
