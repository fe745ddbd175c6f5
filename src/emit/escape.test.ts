import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { composeValue, docText, envValue, markdownText, pathSegment, propertyKey, tsString } from './escape.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...Array.from('\'"`\\$*/{}@<>|\n\r\u2028\u2029\u202e\u0000#:-'), 'ts-ignore') }),
);

describe('escaping', () => {
  it('makes a string literal that is the text, in one line without hidden characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const literal = tsString(text);
        expect(runInNewContext(literal)).toBe(text);
        expect(literal).not.toMatch(/[\n\r\u2028\u2029\u202e]/);
      }),
      { numRuns: 500 },
    );
  });

  it('makes a property key that is the name, and never a prototype', () => {
    for (const name of ['title', 'work-item', "it's", '', '1', 'class', '__proto__', 'constructor']) {
      const object = runInNewContext(`({ ${propertyKey(name)}: 1 })`) as object;
      expect(Object.keys(object)).toEqual([name]);
    }
  });

  it('keeps doc text inside of its comment, and makes no tags of it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const doc = docText(text);
        expect(doc).not.toContain('*/');
        expect(doc).not.toMatch(/(^|[\s{*])@/);
        expect(doc).not.toMatch(/[\r\u2028\u2029\u202e]/);
      }),
      { numRuns: 500 },
    );
    expect(docText('One.\n\n  @ts-ignore  \n*/ x')).toBe('One.\n\\@ts-ignore\n*\\/ x');
  });

  it('makes a YAML value that is the text, with nothing for Compose to substitute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const value = composeValue(text);
        expect(parse(`key: ${value}`)).toEqual({ key: text.replaceAll('$', '$$$$') });
        expect(value.replaceAll('$$', '')).not.toContain('$');
      }),
      { numRuns: 300 },
    );
  });

  it('makes one line of Markdown without markup', () => {
    expect(markdownText('a | [b](c)\n<i>*d*</i> `e` $f$')).toBe(
      'a \\| \\[b\\](c) \\<i\\>\\*d\\*\\</i\\> \\`e\\` \\$f\\$',
    );
  });

  it('refuses what can be no path and no setting', () => {
    for (const name of ['..', '.', '', 'a/b', 'a\\b', '.git', 'a b', 'é', '%2e']) {
      expect(() => pathSegment(name)).toThrow();
    }
    for (const value of ['a b', 'a\nB=c', '$(id)', '"', '#']) expect(() => envValue(value)).toThrow();
    expect(pathSegment('work-item')).toBe('work-item');
  });
});
