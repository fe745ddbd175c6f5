/** Values that attackers send in the hope that they are interpreted as something else. */

/** Texts with a special meaning in SQL, patterns, templates or spreadsheets. */
export const HOSTILE: readonly string[] = [
  `'`,
  `''`,
  `"`,
  `\\`,
  `\\'`,
  `\\' OR 1=1 --`,
  `' OR '1'='1`,
  `'; DROP TABLE articles; --`,
  `1); DELETE FROM users; --`,
  `/* */`,
  `a%b`,
  `a_b`,
  `50%`,
  `%`,
  `_`,
  `[abc]`,
  `a*b?c`,
  `^$`,
  `?`,
  `?1`,
  `:name`,
  `$1`,
  `@x`,
  `{"a":1}`,
  `null`,
  `\${7*7}`,
  `<%= 7*7 %>`,
  `{{7*7}}`,
  `#{7*7}`,
  `=cmd|'/C calc'!A0`,
];

/** Texts that must be returned unchanged, or rejected. */
export const UNUSUAL: readonly string[] = [
  'a\u2028b',
  'a\u2029b',
  '\u202Eabc\u202C',
  '😀𝔘',
  'é',
  'e\u0301',
  '\uFEFFbom',
  'tab\tand\nline',
  '\u0001\u001B[31m',
];

/** Texts that are not decimal numbers, or that parsers interpret differently. */
export const ODD_NUMBERS: readonly string[] = [
  '1e3',
  '0x10',
  '0b1',
  '1.5',
  '1_000',
  'NaN',
  'Infinity',
  '-Infinity',
  '1;',
  '١',
  '１',
  '²',
  '1 2',
  '',
  'null',
];
