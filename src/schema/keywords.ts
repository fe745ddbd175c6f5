/** The words of the schema language. */
import { scalarTypes } from '#contract/attribute-types/scalar-type.ts';

export const dialects = ['sqlite', 'postgres', 'mysql'] as const;

/** Scalar types by name: their order in the contract is that of whoever loads it. */
export const attributeTypes = [...scalarTypes.toSorted(), 'media', 'relation', 'component', 'dynamiczone'] as const;

export const mediaTypes = ['images', 'files', 'videos', 'audios'] as const;

export type Dialect = (typeof dialects)[number];
export type AttributeType = (typeof attributeTypes)[number];
export type MediaType = (typeof mediaTypes)[number];
