/** Codes of messages, for the admin panel, which has texts of its own in each of its languages. */

/** A stable code, and what its text mentions. */
export interface Coded {
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Code → ends of messages, with parameters in braces. What comes before names the value, in terms of the request. */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  required: ['must be defined', 'cannot be null'],
  minLength: ['must be at least {min} characters'],
  maxLength: ['must be at most {max} characters'],
  regex: ['must match the following: {regex}'],
  min: ['must be greater than or equal to {min}'],
  max: ['must be less than or equal to {max}'],
  range: ['must be between {min} and {max}'],
  digits: ['must have at most {before} digits before and {after} after the decimal point'],
  enum: ['must be one of the following values: {values}', 'must be one of {values}'],
  number: ['must be a number', 'must be a finite number'],
  integer: ['must be a whole number'],
  email: ['must be a valid email'],
  uid: ['must consist of letters A to Z, digits and the characters - _ . ~'],
  date: ['must be a date, YYYY-MM-DD'],
  time: ['must be a time, HH:mm:ss or HH:mm:ss.SSS'],
  datetime: ['must be an ISO 8601 date and time or milliseconds since 1970, in the years 1 to 9999'],
  json: [
    'must be JSON',
    'must not be nested deeper than {levels} levels',
    'must not contain a number that is not finite',
  ],
  characters: ['must not contain the character U+0000', 'must be well-formed Unicode text'],
  nodes: ['must hold valid nodes: {problem}', 'must be an array of nodes', 'must be a node of type {types}'],
  url: ['must be a valid URL'],
  invalid: ['must be a string', 'must be true or false', 'must be an object', 'must be an array'],
  minItems: ['must have at least {min} items'],
  maxItems: ['must have at most {max} items'],
  unique: ['This attribute must be unique', 'Email or Username are already taken'],
  refused: ["This entry can't be saved"],
  missingEntries: ['names entries that do not exist or that this role may not find: {entries}'],
  missingItem: ['is not the id of a component that this entry has here'],
  unknown: ['is not an attribute'],
  wrongFile: ['names a file of type {type}, but only {allowed} is allowed'],
  emptyFile: ['{name} is empty'],
  fileType: ["{name} can't be uploaded: its type, {type}, is not allowed"],
  pixels: ['{name} has more than {pixels} pixels'],
  reserved: ['name must not be {name}, which is reserved'],
  credentials: ['Invalid identifier or password'],
};

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** A template that begins with a parameter is a whole message. */
function patternOf(template: string): RegExp {
  const parts = template.split(/\{(?<name>\w+)\}/u);
  const source = parts.map((part, at) => (at % 2 === 0 ? escaped(part) : `(?<${part}>.+)`)).join('');
  return new RegExp(template.startsWith('{') ? `^${source}$` : `(?:^|\\s)${source}$`, 'su');
}

const PATTERNS = Object.entries(MESSAGES).flatMap(([code, templates]) =>
  templates.map((template) => [code, patternOf(template)] as const),
);

/** The code of a message; undefined for those that only the team's own code, or no request of the panel, gets. */
export function codeOf(message: string): Coded | undefined {
  for (const [code, pattern] of PATTERNS) {
    const found = pattern.exec(message);
    if (found) return { code, params: { ...found.groups } };
  }
  return undefined;
}
