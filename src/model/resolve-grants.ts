/** What a role is given under one key: permissions, each with its rule. */
import { LINK, type Rule } from '#contract/policy/rule.ts';
import { SCHEMA_ENDPOINTS } from '#contract/routes/built-in.ts';
import { entryActions } from '#contract/routes/entries.ts';
import { reportError, reportWarning } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import { SUBJECTS } from '#contract/policy/permission-name.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { ActionDefinition, Located, PermissionDefinition } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';
import { resolveRule, type RuleContext } from './resolve-rule.ts';

/** The key of all content types, and the value of all actions. */
export const EVERYTHING = '*';

/** The subject for the admin panel. */
export const ADMIN_PANEL = 'admin';

/** The subject for releases. */
const RELEASES = 'releases';

/** The actions of reading and writing drafts, for types that have them. */
const OF_DRAFTS: ReadonlySet<string> = new Set(['preview', 'draft']);

/** What the permissions of a role are resolved with. */
export interface GrantContext extends ModelContext, RuleContext {}

/** A permission as given to a role. */
export interface Grant {
  readonly permission: string;
  readonly rule?: Rule;
  readonly location: SourceLocation;
}

/** The subjects that a permission refers to, with their actions: one type or endpoint, or every content type for `*`. */
function subjectsOf({ types }: ModelContext, subject: string): readonly (readonly [string, readonly string[]])[] {
  if (subject === EVERYTHING) return [...types].map(([uid, type]) => [uid, entryActions(type)]);
  const type = types.get(subject);
  if (type !== undefined) return [[subject, entryActions(type)]];
  const actions = SCHEMA_ENDPOINTS.get(subject);
  return actions === undefined ? [] : [[subject, actions]];
}

function unknownSubject({ schema, report }: ModelContext, { value, location }: Located<string>): void {
  const byPlural = schema.contentTypes.find((type) => type.pluralName?.value === value)?.uid;
  const names = [...schema.contentTypes.map((type) => type.uid), ...SCHEMA_ENDPOINTS.keys()];
  const near = byPlural ?? SUBJECTS.get(value);
  reportError(report, {
    code: 'permission/unknown-type',
    message: `${named(value)} is neither a content type nor a built-in endpoint`,
    location,
    hint: near === undefined ? suggestion(value, names) : `did you mean ${named(near)}?`,
  });
}

function unknownAction(
  { report }: ModelContext,
  subject: string,
  action: Located<string>,
  actions: readonly string[],
): void {
  const what = subject === EVERYTHING ? 'content types have' : `${named(subject)} has`;
  reportError(report, {
    code: 'permission/unknown-action',
    message: `${what} no action ${named(action.value)}`,
    location: action.location,
    hint: suggestion(action.value, actions),
  });
}

function isAboutTypes({ types }: ModelContext, subject: string): boolean {
  return subject === EVERYTHING || types.has(subject);
}

/** Only a warning: a schema remains valid when the drafts of a type are disabled. */
function noDrafts({ report }: ModelContext, subject: string, { value, location }: Located<string>): void {
  reportWarning(report, {
    code: 'permission/no-drafts',
    message: `${subject === EVERYTHING ? 'no content type' : named(subject)} has ${subject === EVERYTHING ? 'drafts' : 'no drafts'}, so \`${value}\` has no effect`,
    location,
    hint: 'to enable drafts, add `draftAndPublish: true` to the type',
  });
}

/** Only a warning: a schema remains valid when the admin panel is disabled. */
function noAdminPanel({ report }: ModelContext, { location }: Located<string>): readonly Grant[] {
  reportWarning(report, {
    code: 'permission/admin',
    message: 'the permission has no effect, because the admin panel is turned off with `admin: false`',
    location,
    hint: 'remove the permission or `admin: false`',
  });
  return [];
}

/** Only a warning: a schema remains valid when schedules are turned off. */
function noReleases({ report }: ModelContext, { location }: Located<string>): readonly Grant[] {
  reportWarning(report, {
    code: 'permission/no-releases',
    message: 'the permission has no effect, because no releases are planned without `schedules: true`',
    location,
    hint: 'remove the permission, or add `schedules: true` at the top level of the schema',
  });
  return [];
}

/** Reports actions that are given twice, of which one might have a rule, and `link` without a rule. */
function checkActions({ report }: ModelContext, subject: string, actions: readonly ActionDefinition[]): void {
  const first = new Map<string, ActionDefinition>();
  for (const action of actions) {
    const { value, location, rule } = action;
    const other = first.get(value);
    if (other && (rule ?? other.rule)) {
      reportError(report, {
        code: 'permission/rule',
        message: `${named(value)} of ${named(subject)} is given twice, with different rules`,
        location,
        related: [{ message: 'it is first given here', location: other.location }],
        hint: 'combine the rules with `$or` or `$and`, or remove one of them',
      });
    }
    first.set(value, other ?? action);
    if (value !== LINK || rule) continue;
    reportError(report, {
      code: 'permission/rule',
      message: '`link` narrows to which entries others may be connected, so it needs a rule',
      location,
      hint: 'write `link: { where: … }`, or remove it: without it, whoever may find an entry may connect it',
    });
  }
}

function grantsOf(
  context: GrantContext,
  subjects: ReturnType<typeof subjectsOf>,
  action: ActionDefinition,
): readonly Grant[] {
  const { value, location, rule: written } = action;
  const owners = subjects.filter(([, all]) => all.includes(value)).map(([name]) => name);
  return owners.map((name) => {
    const permission = `${name}.${value}`;
    if (!written) return { permission, location };
    return { permission, location, rule: resolveRule(context, permission, written) };
  });
}

/** The permissions under one key of a role. Problems are reported. */
export function resolveGrants(context: GrantContext, { subject, actions }: PermissionDefinition): readonly Grant[] {
  if (subject.value === ADMIN_PANEL && context.schema.admin?.value === false) return noAdminPanel(context, subject);
  if (subject.value === RELEASES && !context.schema.schedules?.value) return noReleases(context, subject);
  const known = subjectsOf(context, subject.value);
  if (known.length === 0 && subject.value !== EVERYTHING) unknownSubject(context, subject);
  if (actions === EVERYTHING) {
    const { location } = subject;
    return known.flatMap(([name, all]) => all.map((action) => ({ permission: `${name}.${action}`, location })));
  }
  const isType = isAboutTypes(context, subject.value);
  const subjects = isType ? known.map(([name, all]) => [name, [...all, LINK]] as const) : known;
  const possible = [...new Set(subjects.flatMap(([, names]) => names))];
  checkActions(context, subject.value, actions);
  for (const action of actions) {
    if (subjects.length === 0 || possible.includes(action.value)) continue;
    if (OF_DRAFTS.has(action.value) && isType) noDrafts(context, subject.value, action);
    else unknownAction(context, subject.value, action, possible);
  }
  return actions.flatMap((action) => grantsOf(context, subjects, action));
}
