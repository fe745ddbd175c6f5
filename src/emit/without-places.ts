/** What generated files follow from: the content model without what says nothing about them. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Component, ContentModel, ContentType } from '../model/content-model.ts';

/** The place of everything: a schema that is laid out in another way is the same to a printer. */
const NOWHERE: SourceLocation = { file: '', line: 1, column: 1, length: 0 };

function unplaced<T extends ContentType | Component>(part: T): T {
  const attributes = part.attributes.map((attribute) => ({ ...attribute, renamedFrom: undefined, location: NOWHERE }));
  return { ...part, renamedFrom: undefined, location: NOWHERE, attributes };
}

/** The model without places in the schema and former names. */
export function withoutPlaces(model: ContentModel): ContentModel {
  return {
    ...model,
    contentTypes: model.contentTypes.map(unplaced),
    components: model.components.map(unplaced),
  };
}
