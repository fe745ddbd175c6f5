import { describe, expect, it } from 'vitest';
import { ownOptions } from './attribute-options.ts';
import { attributeTypes } from './keywords.ts';
import { renderReference } from './reference.ts';

describe('the reference', () => {
  it.each(attributeTypes)('has the meaning that each option of %s has for this type', (type) => {
    const lines = renderReference().split('\n');
    for (const [name, { description }] of Object.entries(ownOptions(type))) {
      expect(
        lines.filter((line) => line.startsWith(`| \`${name}\` |`) && line.endsWith(`| ${description} |`)),
      ).toHaveLength(1);
    }
  });
});
