/** Names of types, components and attributes: their grammar, what is reserved, and what would clash after conversion. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { reportError, reportWarning } from '../diagnostics/report.ts';
import type { Report } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition } from '../schema/definition.ts';
import type { ModelContext, Owner } from './model-context.ts';
import { codeNames, pluralOf, shorten, snakeCase } from './naming.ts';
import {
  attributeNameTaken,
  componentNameTaken,
  confusingAttributes,
  reservedRoutes,
  tableNameTaken,
  typeNameTaken,
} from './reserved-names.ts';

/** The longest name that every engine takes: PostgreSQL's, in bytes. */
export const maxNameBytes = 63;

const typeName = /^[a-z][a-z0-9-]*$/;
const attributeName = /^[A-Za-z][A-Za-z0-9_]*$/;
const tableName = /^[a-z][a-z0-9_]*$/;
const componentName = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;

const typeRule = 'it begins with a letter from a to z and has only those, digits and `-`';

/** A name to check: what it names, and where. */
interface Name {
  readonly name: string;
  readonly what: string;
  readonly location: SourceLocation;
}

/** Whether a name is well formed and free; else it is reported. */
function checkName(
  report: Report,
  { name, what, location }: Name,
  grammar: { readonly pattern: RegExp; readonly rule: string },
  taken: (name: string) => string | undefined,
): boolean {
  if (Buffer.byteLength(name) > maxNameBytes) {
    const message = `${what} ${named(name)} has ${Buffer.byteLength(name)} bytes, at most ${maxNameBytes} are possible`;
    const hint = 'it becomes a name in the database, where PostgreSQL has the narrowest limit';
    reportError(report, { code: 'name/too-long', message, location, hint });
    return false;
  }
  if (!grammar.pattern.test(name)) {
    const message = `${what} ${named(name)} is not a valid name`;
    reportError(report, { code: 'name/invalid', message, location, hint: grammar.rule });
    return false;
  }
  const reason = taken(name);
  if (reason === undefined) return true;
  const message = `${what} can't be called ${named(name)}: ${reason}`;
  reportError(report, { code: 'name/reserved', message, location, hint: 'take another name' });
  return false;
}

interface Claim {
  readonly what: string;
  readonly location: SourceLocation;
}

/** Takes note of who has a name; the second one to claim it is reported. */
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
      related: [{ message: `${first.what} is here`, location: first.location }],
      hint,
    });
  };
}

/** The plural API id of a type, written or derived. */
export function pluralNameOf({ uid, pluralName }: ContentTypeDefinition): string {
  return pluralName?.value ?? pluralOf(uid);
}

/** The table of a type, written or derived. */
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
    message: `the plural of the content type ${named(type.uid)} is the same word, expected another`,
    location: type.pluralName?.location ?? type.location,
    hint: `such as pluralName: ${type.uid}-list`,
  });
}

function checkRoute(report: Report, type: ContentTypeDefinition): void {
  const route = routeOf(type);
  if (!reservedRoutes.has(route)) return;
  const location = type.pluralName?.location ?? type.location;
  const message = `the content type ${named(type.uid)} can't have the path /api/${route}, which the server needs itself`;
  reportError(report, { code: 'name/reserved', message, location, hint: 'take another name, or another pluralName' });
}

function checkTypeNames(report: Report, types: readonly ContentTypeDefinition[]): void {
  const claimId = createClaims(report, 'API id', 'write another pluralName');
  const claimTable = createClaims(report, 'table', 'write another tableName');
  for (const type of types) {
    const { uid, location, pluralName, tableName: table } = type;
    const what = `the content type ${named(uid)}`;
    const grammar = { pattern: typeName, rule: typeRule };
    if (!checkName(report, { name: uid, what: 'a content type', location }, grammar, typeNameTaken)) continue;
    const plural = {
      name: pluralNameOf(type),
      what: 'the plural of a content type',
      location: pluralName?.location ?? location,
    };
    if (!checkName(report, plural, grammar, () => undefined)) continue;
    const tableRule = 'it begins with a letter from a to z and has only those, digits and `_`';
    const written = { name: tableNameOf(type), what: 'a table', location: table?.location ?? location };
    if (checkName(report, written, { pattern: tableName, rule: tableRule }, tableNameTaken)) {
      claimTable(written.name, { what, location: written.location });
    }
    checkPlural(report, type);
    checkRoute(report, type);
    claimId(uid, { what, location });
    const isPluralUsed = type.kind === 'collectionType' || pluralName !== undefined;
    if (isPluralUsed && plural.name !== uid)
      claimId(plural.name, { what: `the plural of ${what}`, location: plural.location });
  }
}

/** Reports types and components whose names are wrong or clash. */
export function checkTypesAndComponents({ schema, report }: ModelContext): void {
  checkTypeNames(report, schema.contentTypes);
  const grammar = {
    pattern: componentName,
    rule: 'it is written category.name, both of letters from a to z, digits and `-`',
  };
  for (const { uid, location } of schema.components) {
    checkName(report, { name: uid, what: 'a component', location }, grammar, componentNameTaken);
  }
  const claimIdentifier = createClaims(report, 'name in generated code', 'rename one of them');
  for (const { uid, location } of schema.contentTypes) {
    claimIdentifier(codeNames(uid).pascal, { what: `the content type ${named(uid)}`, location });
  }
  for (const { uid, location } of schema.components) {
    claimIdentifier(codeNames(uid).pascal, { what: `the component ${named(uid)}`, location });
  }
}

/** Columns that a table has or may come to have whatever its attributes. */
const systemColumns = ['id', 'created_at', 'updated_at', 'published_at', 'document_id', 'locale', 'singleton'];

/** Names in the database that attributes are stored under. What is stored elsewhere keeps its name free all the same. */
function columnsOf(attribute: Owner['attributes'][number]): readonly string[] {
  const name = snakeCase(attribute.name);
  const key = shorten(`${name}_id`, maxNameBytes);
  if (attribute.kind === 'media') return attribute.multiple ? [name] : [name, key];
  if (attribute.kind !== 'relation') return [shorten(name, maxNameBytes)];
  switch (attribute.relation.value) {
    case 'oneWay':
      return [name, key];
    case 'oneToOne':
      return attribute.mappedBy === undefined ? [name, key] : [name];
    case 'manyToOne':
      return attribute.inversedBy === undefined ? [name, key] : [name, key, shorten(`${name}_position`, maxNameBytes)];
    case 'oneToMany':
    case 'manyToMany':
    case 'manyWay':
    case 'morphToOne':
    case 'morphToMany':
      return [name];
  }
}

/** Reports attributes of `owner` whose names are wrong or clash. */
export function checkAttributeNames({ report }: ModelContext, owner: Owner): void {
  const grammar = {
    pattern: attributeName,
    rule: 'it begins with a letter from A to Z and has only those, digits and `_`',
  };
  const claimColumn = createClaims(report, 'column', 'rename one of them');
  for (const attribute of owner.attributes) {
    const { name, location } = attribute;
    const what = `an attribute of ${named(owner.uid)}`;
    if (!checkName(report, { name, what, location }, grammar, attributeNameTaken)) continue;
    if (confusingAttributes.has(name)) {
      const message = `${named(`${owner.uid}.${name}`)} has a name that clients take for a part of the answer itself`;
      reportWarning(report, { code: 'name/confusing', message, location, hint: 'take another name' });
    }
    // Attributes of components are no columns.
    if (owner.kind === 'component') continue;
    const claim = { what: `the attribute ${named(`${owner.uid}.${name}`)}`, location };
    const system = columnsOf(attribute).find((column) => systemColumns.includes(column));
    if (system !== undefined) {
      const message = `${claim.what} has the column ${named(system)}, which every table has of itself`;
      reportError(report, { code: 'name/reserved', message, location, hint: 'take another name' });
      continue;
    }
    for (const column of columnsOf(attribute)) claimColumn(column, claim);
  }
}
