/** The keywords of the schema language. */
import { scalarTypes } from '#contract/attribute-types/scalar-type.ts';

/** Attribute types. The scalar types are sorted, because their order in the contract depends on the order of loading. */
export const attributeTypes = [...scalarTypes.toSorted(), 'media', 'relation', 'component', 'dynamiczone'] as const;

export const mediaTypes = ['images', 'files', 'videos', 'audios'] as const;

export type AttributeType = (typeof attributeTypes)[number];
export type MediaType = (typeof mediaTypes)[number];
