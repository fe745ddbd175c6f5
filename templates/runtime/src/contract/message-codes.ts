/** Codes of messages, for the admin panel, which has texts of its own in each of its languages. */

/** A stable code, and what its text mentions. */
export interface Coded {
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Code → ends of messages, with parameters in braces. What comes before names the value, in terms of the request. */
export const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  required: [
    'must be defined',
    'must be defined where {condition}',
    'cannot be null',
    'cannot be empty',
    'cannot be disconnected, because it is required: connect another entry',
  ],
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
    'must not contain the key {key}',
  ],
  characters: ['must not contain the character U+0000', 'must be well-formed Unicode text'],
  nodes: ['must hold valid nodes: {problem}', 'must be an array of nodes', 'must be a node of type {types}'],
  url: ['must be a valid URL'],
  invalid: ['must be a string', 'must be true or false', 'must be an object', 'must be an array'],
  minItems: ['must have at least {min} items'],
  maxItems: ['must have at most {max} items'],
  combination: [
    'The combination of {names} must be unique',
    'The combination of {names} must be unique in {type}',
    'Another entry already has these values',
  ],
  unique: [
    'This attribute must be unique',
    'Email or Username are already taken',
    '{name} must be unique',
    '{name} must be unique in {type}',
    '{name} has a value that another entry already has',
  ],
  refused: ["This entry can't be saved"],
  gone: ['There is no such entry', 'Entity not found'],
  readOnly: [
    "can't be set",
    'is written through {other}',
    'can only be replaced as a whole, not changed by connect or disconnect: no file was changed',
  ],
  invisible: ['is only taken where {condition}'],
  referred: [
    'other entries refer to {entry}, and keep it from being deleted',
    '{count} refers to {entry} by {attribute}: delete or change them first',
    '{count} refer to {entry} by {attribute}: delete or change them first',
    '{name} would take entries of {type} from it that must have {attribute}: connect them to another entry, or delete them',
    '{name} names {type} {id}, which another entry must have',
  ],
  referredHidden: [
    'entries of {type} refer to it, which this role may not update',
    'entries of {type} refer to it that this role may not find',
    'entries of {type} would be deleted with it, which this role may not delete',
    'entries of {type} would be deleted with it that this role may not find',
    '{name} changes entries of {type}, which this role may not update',
    '{name} relates to an entry that this role may not find, so it stays',
  ],
  goneReferred: [
    '{name} is required, and the entry that it referred to is gone',
    'the {type} {id} no longer exists: with ?missing=ignore it is left out',
  ],
  existsAgain: [
    'This entry exists again: change that one instead',
    'This entry exists again in {locales}: change that one instead',
  ],
  listChanged: [
    "{place} can't place the entry {entry}: {reason}",
    'names the entry {entry} again: an entry may be named only once',
  ],
  draftsOnly: [
    'You may write drafts, but not what is published: add ?status=draft',
    'this role may not publish the entry',
  ],
  keptDraft: ["The draft has another value of {names}, which this role may not change: it can't be discarded"],
  notPublished: ['This entry is not published: there is nothing to return to'],
  tooMany: [
    'more than {max} entries of {type} would change, each of which {reason}: change fewer at a time',
    '{name}: the lists of related entries and components in a request may have {max} elements in total. Add further ones with connect, in separate requests',
    'a request may set at most {max} passwords: send the others in separate requests',
  ],
  localeTaken: ['locale is already used'],
  future: ['must be in the future'],
  endsBefore: ['unpublishAt must be after publishAt'],
  releaseChanged: [
    'The release has been changed or published meanwhile',
    'The release is {state} already',
    'Only a published release can be reverted',
    'is in the release already',
  ],
  releaseRights: [
    'You may not publish these items of the release: {items}',
    'You may not set when a release is published',
  ],
  missingEntries: [
    'names entries that do not exist or that this role may not find: {entries}',
    'an entry of {type} no longer exists, or this role may not find it: with ?missing=ignore it is left out',
  ],
  missingItem: ['is not the id of a component that this entry has here', 'must be the id of a component of this entry'],
  unknown: ['is not an attribute'],
  wrongFile: ['names a file of type {type}, but only {allowed} is allowed'],
  emptyFile: ['{name} is empty'],
  fileType: ["{name} can't be uploaded: its type, {type}, is not allowed"],
  pixels: ['{name} has more than {pixels} pixels'],
  reserved: ['name must not be {name}, which is reserved'],
  folderName: ['must be one that no other folder there has'],
  folderDepth: ['folders can be nested at most {levels} levels deep'],
  folderCount: ['there can be at most {most} folders: delete some that are empty'],
  credentials: ['Invalid identifier or password'],
  firstLetter: ['name must begin with a letter'],
  username: [
    'must not begin or end with a space or an accent, or contain two spaces in a row',
    'must consist of letters of a single script, digits, and characters such as - _ . @',
  ],
  role: ['role must be an existing role'],
  keptRole: ['Cannot delete the role {role}'],
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
