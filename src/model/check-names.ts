/** Names of types, components and attributes: their grammar, reserved names, and clashes after conversion. */
import { isReservedRoute } from '#contract/routes/built-in.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { type Report, reportError, reportWarning } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition } from '../schema/definition.ts';
import {
  attributeNamePattern,
  componentNamePattern,
  tableNamePattern,
  typeNamePattern,
} from '../schema/name-patterns.ts';
import { locationOf, type ModelContext, type Owner, USER_TYPE } from './model-context.ts';
import { camelCase, codeNames, kebabCase, pluralOf, shorten, snakeCase } from './naming.ts';
import {
  attributeNameTaken,
  componentNameTaken,
  confusingAttributes,
  tableNameTaken,
  typeNameTaken,
  userAttributeTaken,
} from './reserved-names.ts';

/** The longest identifier that every engine accepts: PostgreSQL's limit, in bytes. */
const maxNameBytes = 63;

/** A name to check, what it names, and its location. */
interface Name {
  readonly name: string;
  readonly of: string;
  readonly location: SourceLocation;
}

interface Grammar {
  readonly pattern: RegExp;
  readonly rule: string;
  /** Suggests a similar name that satisfies the rule. */
  readonly correct?: (name: string) => string;
}

const typeGrammar: Grammar = {
  pattern: typeNamePattern,
  rule: 'use lower-case letters, digits and `-`, starting with a letter',
  correct: kebabCase,
};

const attributeGrammar: Grammar = {
  pattern: attributeNamePattern,
  rule: 'use ASCII letters, digits and `_`, starting with a letter',
  correct: camelCase,
};

const tableGrammar: Grammar = {
  pattern: tableNamePattern,
  rule: 'use lower-case letters, digits and `_`, starting with a letter',
  correct: snakeCase,
};

const componentGrammar: Grammar = {
  pattern: componentNamePattern,
  rule: 'use the form category.name, with lower-case letters, digits and `-`',
};

function ruleHint({ pattern, rule, correct }: Grammar, name: string): string {
  const corrected = correct?.(name);
  return corrected !== undefined && pattern.test(corrected) ? `${rule}, for example ${named(corrected)}` : rule;
}

/** Whether a name is valid and free; otherwise it is reported. */
function checkName(
  report: Report,
  { name, of, location }: Name,
  grammar: Grammar,
  taken: (name: string) => string | undefined,
): boolean {
  const bytes = Buffer.byteLength(name);
  if (bytes > maxNameBytes) {
    const message = `${named(name)} is too long for the name of ${of}: ${bytes} bytes; the maximum is ${maxNameBytes}`;
    const hint = 'it becomes a name in the database, and PostgreSQL has the lowest limit';
    reportError(report, { code: 'name/too-long', message, location, hint });
    return false;
  }
  if (!grammar.pattern.test(name)) {
    const message = `${named(name)} is not a valid name for ${of}`;
    reportError(report, { code: 'name/invalid', message, location, hint: ruleHint(grammar, name) });
    return false;
  }
  const reason = taken(name);
  if (reason === undefined) return true;
  const message = `${named(name)} is reserved and can't be the name of ${of}: ${reason}`;
  reportError(report, { code: 'name/reserved', message, location, hint: 'choose another name' });
  return false;
}

interface Claim {
  readonly what: string;
  readonly location: SourceLocation;
}

/** Records the owners of names; a second claim to the same name is reported. */
function createClaims(report: Report, kind: string, hint: string): (name: string, claim: Claim) => void {
  const claims = new Map<string, Claim>();
  return (name, claim) => {
    const first = claims.get(name);
    if (first === undefined) {
      claims.set(name, claim);
      return;
    }
    reportError(report, {
      code: 'name/clash',
      message: `${claim.what} and ${first.what} both have the ${kind} ${named(name)}`,
      location: claim.location,
      related: [{ message: `${first.what} is defined here`, location: first.location }],
      hint,
    });
  };
}

/** The plural API id of a type, explicit or derived. */
export function pluralNameOf({ uid, pluralName }: ContentTypeDefinition): string {
  return pluralName?.value ?? pluralOf(uid);
}

/** The table name of a type, explicit or derived. */
export function tableNameOf(type: ContentTypeDefinition): string {
  return type.tableName?.value ?? shorten(snakeCase(pluralNameOf(type)), maxNameBytes);
}

/** The first path segment of a type's URLs. */
export function routeOf(type: ContentTypeDefinition): string {
  return type.kind === 'singleType' ? type.uid : pluralNameOf(type);
}

function checkPlural(report: Report, type: ContentTypeDefinition): void {
  if (type.kind === 'singleType' || pluralNameOf(type) !== type.uid) return;
  reportError(report, {
    code: 'name/plural',
    message: `the plural of the content type ${named(type.uid)} is the same as its singular`,
    location: type.pluralName?.location ?? type.location,
    hint: `set a different plural, for example pluralName: ${type.uid}-list`,
  });
}

function checkRoute(report: Report, type: ContentTypeDefinition, chosen: ReadonlySet<string>): void {
  const route = routeOf(type);
  if (!isReservedRoute(type.kind, route, chosen)) return;
  const location = type.pluralName?.location ?? type.location;
  const message = `the content type ${named(type.uid)} can't have the path /api/${route}, which is reserved for the server`;
  reportError(report, {
    code: 'name/reserved',
    message,
    location,
    hint: 'choose another name or another `pluralName`',
  });
}

function checkTypeNames(report: Report, types: readonly ContentTypeDefinition[], chosen: ReadonlySet<string>): void {
  const claimId = createClaims(report, 'API id', 'set another `pluralName`');
  for (const type of types) {
    const { uid, location, pluralName } = type;
    const what = `the content type ${named(uid)}`;
    if (!checkName(report, { name: uid, of: 'a content type', location }, typeGrammar, typeNameTaken)) continue;
    const plural = {
      name: pluralNameOf(type),
      of: `the plural of ${named(uid)}`,
      location: locationOf(pluralName, type),
    };
    if (!checkName(report, plural, typeGrammar, () => undefined)) continue;
    const table = {
      name: tableNameOf(type),
      of: `the table of ${named(uid)}`,
      location: locationOf(type.tableName, plural),
    };
    checkName(report, table, tableGrammar, tableNameTaken);
    checkPlural(report, type);
    checkRoute(report, type, chosen);
    claimId(uid, { what, location });
    const isPluralUsed = type.kind === 'collectionType' || pluralName !== undefined;
    if (isPluralUsed && plural.name !== uid) {
      claimId(plural.name, { what: `the plural of ${what}`, location: plural.location });
    }
  }
}

/** Reports types and components whose names are invalid or clash. */
export function checkTypesAndComponents({ schema, report }: ModelContext): void {
  checkTypeNames(report, schema.contentTypes, new Set(schema.schedules?.value ? ['schedules'] : []));
  for (const { uid, location } of schema.components) {
    checkName(report, { name: uid, of: 'a component', location }, componentGrammar, componentNameTaken);
  }
  const claimIdentifier = createClaims(report, 'name in generated code', 'rename one of them');
  for (const { uid, location } of schema.contentTypes) {
    claimIdentifier(codeNames(uid).pascal, { what: `the content type ${named(uid)}`, location });
  }
  for (const { uid, location } of schema.components) {
    claimIdentifier(codeNames(uid).pascal, { what: `the component ${named(uid)}`, location });
  }
}

/** Reports attributes of `owner` whose names are invalid or clash. */
export function checkAttributeNames({ report, schema }: ModelContext, owner: Owner): void {
  const scope = owner.kind === 'component' ? 'component' : (schema.api.format?.value ?? 'v4');
  for (const attribute of owner.attributes) {
    const { name, location } = attribute;
    const of = `an attribute of ${named(owner.uid)}`;
    const taken = owner.uid === USER_TYPE ? userAttributeTaken : attributeNameTaken;
    const isTaken = (text: string): string | undefined => taken(text, scope);
    if (!checkName(report, { name, of, location }, attributeGrammar, isTaken)) continue;
    if (confusingAttributes.has(name)) {
      const message = `${named(`${owner.uid}.${name}`)} has a name that clients mistake for part of the response format`;
      reportWarning(report, { code: 'name/confusing', message, location, hint: 'choose another name' });
    }
  }
}
