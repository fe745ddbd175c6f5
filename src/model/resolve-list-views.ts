/** `views` of types: checked once all types are known, since their filters lead through relations and components. */
import type { ListViewOfRoles } from '#contract/panel-view.ts';
import { checkWhere } from '#contract/policy/check-where.ts';
import { isMap, type RuleProblem } from '#contract/policy/rule-form.ts';
import type { RuleTypes } from '#contract/policy/rule-types.ts';
import type { JsonValue } from '#contract/values/json.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { WrittenView } from '../schema/views-option.ts';
import { placeOf, type WrittenJson } from '../schema/written-json.ts';
import type { Attribute, Component, ContentType } from './content-model.ts';
import type { ModelContext } from './model-context.ts';
import { ruleTypesOf } from './rule-types.ts';
import { checkName, checkRole, columnNames } from './view-names.ts';

/** How many views a list can have: each is a button above it. */
const MAX_VIEWS = 20;

const VARIABLES = ['$user', '$now'];

interface Viewed {
  readonly context: ModelContext;
  readonly type: ContentTypeDefinition;
  readonly resolved: ContentType;
  /** What requests can filter by. */
  readonly types: RuleTypes;
}

function reportView({ context }: Viewed, { location }: Located<unknown>, message: string, hint?: string): void {
  reportError(context.report, { code: 'type/admin', message, location, hint });
}

/** The paths to variables that stand for nothing in a browser, such as the host of the request. */
function foreignVariables(value: JsonValue, path: RuleProblem['path'] = []): readonly RuleProblem['path'][] {
  if (typeof value === 'string') return value.startsWith('$') && !VARIABLES.includes(value) ? [path] : [];
  const inner = Array.isArray(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : [];
  return inner.flatMap(([step, one]) => foreignVariables(one as JsonValue, [...path, step]));
}

function checkFilters(viewed: Viewed, written: WrittenJson): void {
  const { context, type, types } = viewed;
  const owner = types.type(type.uid);
  const { value } = written;
  if (!owner) return;
  if (!isMap(value) || Object.keys(value).length === 0) {
    reportView(viewed, written, '`filters` must be a map with conditions', 'for example { status: in_review }');
    return;
  }
  const foreign = foreignVariables(value).map((path) => placeOf(written, path, 'value'));
  for (const location of foreign) {
    reportView(viewed, { value, location }, 'the variables of views are `$user` and `$now`');
  }
  const report = ({ path, part, message, hint, suggest }: RuleProblem): void => {
    // `checkWhere` counts from `where` of a rule.
    const location = placeOf(written, path.slice(1), part);
    if (foreign.includes(location)) return;
    const near = suggest && suggestion(suggest.name, suggest.names);
    reportError(context.report, { code: 'type/admin', message, location, hint: near ?? hint });
  };
  checkWhere({ types, report }, owner, value);
}

/** Single values, and relations to one entry, whose title counts. */
function isSortable(attribute: Attribute): boolean {
  if (attribute.kind === 'scalar') return attributeType(attribute.type).columnType !== 'json';
  return attribute.kind === 'relation' && !attribute.many && attribute.targets.length === 1;
}

function resolveSort(
  { context, type, resolved }: Viewed,
  { value, location }: Located<string>,
): NonNullable<ListViewOfRoles['sort']> {
  const descending = value.startsWith('-');
  const column = descending ? value.slice(1) : value;
  const unsortable = resolved.attributes.filter((attribute) => !isSortable(attribute)).map(({ name }) => name);
  const names = columnNames(type).filter((name) => !unsortable.includes(name));
  checkName(context, type, names, 'sort', { value: column, location });
  return { column, ...(descending && { descending: true as const }) };
}

function resolveView(viewed: Viewed, view: WrittenView): ListViewOfRoles {
  const { context, type } = viewed;
  const { name, displayName, filters, state, sort, columns, roles } = view;
  if (filters) checkFilters(viewed, filters);
  if (state && !type.draftAndPublish) {
    reportView(viewed, state, `the entries of ${named(type.uid)} have no state`, 'add `draftAndPublish: true`');
  }
  const known = columnNames(type);
  for (const column of columns ?? []) checkName(context, type, known, 'columns', column);
  for (const role of roles ?? []) {
    checkRole(context, `the view ${named(name.value)} is`, role, 'define it under `permissions:`');
  }
  const texts = Object.entries(displayName?.translations ?? {}).filter(([, text]) => text !== displayName?.value);
  return {
    name: name.value,
    ...(displayName && { displayName: displayName.value }),
    ...(texts.length > 0 && { texts: Object.fromEntries(texts) }),
    ...(filters && isMap(filters.value) && { filters: filters.value }),
    ...(state && { state: state.value }),
    ...(sort && { sort: resolveSort(viewed, sort) }),
    ...(columns && { columns: [...new Set(columns.map(({ value }) => value))] }),
    ...(roles && { roles: [...new Set(roles.map(({ value }) => value))] }),
  };
}

function resolveViews(viewed: Viewed, written: readonly WrittenView[]): readonly ListViewOfRoles[] {
  const { kind, uid } = viewed.type;
  const [first] = written;
  if (first && kind === 'singleType') {
    reportView(viewed, first.name, `\`views\` of ${named(uid)} have no effect, because a single type has no list`);
  }
  const surplus = written[MAX_VIEWS];
  if (surplus) {
    const message = `${named(uid)} has ${written.length} views; the maximum is ${MAX_VIEWS}`;
    reportView(viewed, surplus.name, message, 'filters and conditions of the panel do the rest');
  }
  return written.map((view) => resolveView(viewed, view));
}

/** What requests can filter by: no private attributes. */
function openTypes(types: readonly ContentType[], components: readonly Component[]): RuleTypes {
  const open = <Owner extends ContentType | Component>(owner: Owner): Owner => ({
    ...owner,
    attributes: owner.attributes.filter((attribute) => !attribute.private),
  });
  return ruleTypesOf(types.map(open), components.map(open));
}

/** The types with their views. Problems are reported. */
export function withListViews(
  context: ModelContext,
  contentTypes: readonly ContentType[],
  components: readonly Component[],
): readonly ContentType[] {
  if (context.schema.contentTypes.every(({ admin }) => admin?.views === undefined)) return contentTypes;
  const types = openTypes(contentTypes, components);
  return contentTypes.map((resolved) => {
    const type = context.types.get(resolved.uid);
    const written = type?.admin?.views ?? [];
    if (!type || written.length === 0) return resolved;
    return {
      ...resolved,
      admin: { ...resolved.admin, views: resolveViews({ context, type, resolved, types }, written) },
    };
  });
}
