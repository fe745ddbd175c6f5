/** JSON Schemas of `blocks` values: what `checkBlocks` accepts. Nodes may have further members. */
import { type JsonSchema, list, object, schemaRef, TEXT } from '../routes/json-schema.ts';

const BOOLEAN: JsonSchema = { type: 'boolean' };

/** One of several nodes, distinguished by their `type`. */
function nodes(byType: Readonly<Record<string, string>>): JsonSchema {
  const refs = Object.values(byType).map(schemaRef);
  const mapping = Object.fromEntries(Object.entries(byType).map(([type, name]) => [type, schemaRef(name)['$ref']]));
  return { oneOf: refs, discriminator: { propertyName: 'type', mapping } };
}

function node(
  type: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const all = { type: { type: 'string', const: type }, ...properties };
  return object(
    all,
    Object.keys(all).filter((name) => !optional.includes(name)),
  );
}

const INLINE = list(schemaRef('BlocksInline'));
const TEXTS = list(schemaRef('BlocksText'));
const MODIFIERS = { bold: BOOLEAN, italic: BOOLEAN, underline: BOOLEAN, strikethrough: BOOLEAN, code: BOOLEAN };

/** Schemas by name. */
export const BLOCKS_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Blocks: { ...list(schemaRef('BlocksNode')), description: 'Structured rich text.' },
  BlocksNode: nodes({
    paragraph: 'BlocksParagraph',
    heading: 'BlocksHeading',
    list: 'BlocksList',
    quote: 'BlocksQuote',
    code: 'BlocksCode',
    image: 'BlocksImage',
  }),
  BlocksParagraph: node('paragraph', { children: INLINE }),
  BlocksHeading: node('heading', { level: { type: 'integer', enum: [1, 2, 3, 4, 5, 6] }, children: INLINE }),
  BlocksList: node('list', {
    format: { type: 'string', enum: ['ordered', 'unordered'] },
    children: list(schemaRef('BlocksListChild')),
  }),
  BlocksListChild: nodes({ 'list-item': 'BlocksListItem', list: 'BlocksList' }),
  BlocksListItem: node('list-item', { children: INLINE }),
  BlocksQuote: node('quote', { children: INLINE }),
  BlocksCode: node('code', { children: INLINE }),
  BlocksImage: node('image', { image: object({ url: TEXT }), children: TEXTS }),
  BlocksInline: nodes({ text: 'BlocksText', link: 'BlocksLink' }),
  BlocksText: node('text', { text: TEXT, ...MODIFIERS }, Object.keys(MODIFIERS)),
  BlocksLink: node('link', { url: TEXT, children: TEXTS }),
};
