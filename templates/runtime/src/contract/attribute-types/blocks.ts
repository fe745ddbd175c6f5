import { castBlocks, checkBlocks } from '../values/blocks.ts';
import { schemaRef } from '../routes/json-schema.ts';
import { BLOCKS_SCHEMAS } from '../values/blocks-schemas.ts';
import { randomProse, randomTitle } from '../values/random.ts';
import type { AttributeType } from './attribute-type.ts';

/** An array of block nodes. Errors have the path of the invalid node. */
export const blocks: AttributeType<readonly unknown[], never> = {
  options: [],
  columnType: 'json',
  input: 'blocks',
  canBeUnique: false,
  operators: 'presence',
  cast: castBlocks,
  problems: checkBlocks,
  readDefault: ({ value }) =>
    castBlocks(value).ok ? { value } : { expected: 'a list of block nodes, which are maps with a `type` each' },
  typescript: { output: 'readonly unknown[]' },
  jsonSchema: { output: schemaRef('Blocks'), named: BLOCKS_SCHEMAS },
  sample: [{ type: 'paragraph', children: [{ type: 'text', text: 'Once upon a time' }] }],
  random: (random) => [
    { type: 'heading', level: 2, children: [{ type: 'text', text: randomTitle(random) }] },
    { type: 'paragraph', children: [{ type: 'text', text: randomProse(random, 3) }] },
  ],
};
