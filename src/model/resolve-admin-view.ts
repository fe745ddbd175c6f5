/** How the admin panel shows a type: what `admin` of the type says. */
import type { AdminView, LayoutTab, PanelLayout } from '#contract/panel-view.ts';
import { reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { WrittenColumns } from '../schema/columns-option.ts';
import type { ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { WrittenTab } from '../schema/layout-option.ts';
import type { ModelContext } from './model-context.ts';
import { checkName, checkRole, columnNames, isSecret } from './view-names.ts';

const FOR_ROLES = 'define it under `permissions:`, or use "*" for all other roles';

function resolveColumns(
  context: ModelContext,
  type: ContentTypeDefinition,
  written: readonly WrittenColumns[] = [],
): Pick<AdminView, 'columns' | 'columnsOf'> {
  const known = columnNames(type);
  for (const { role, columns } of written) {
    if (role) checkRole(context, `\`columns\` of ${named(type.uid)} are`, role, FOR_ROLES);
    for (const column of columns) checkName(context, type, known, 'columns', column);
  }
  const namesOf = ({ columns }: WrittenColumns): string[] => [...new Set(columns.map(({ value }) => value))];
  const all = written.find(({ role }) => role === undefined);
  const ofRoles = written
    .flatMap((one) => (one.role ? [[one.role.value, namesOf(one)] as const] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(all && { columns: namesOf(all) }),
    ...(ofRoles.length > 0 && { columnsOf: Object.fromEntries(ofRoles) }),
  };
}

/** Reports names that are not attributes, and those that occur twice. */
function checkFields(
  context: ModelContext,
  type: ContentTypeDefinition,
  fields: readonly (readonly [string, Located<string>])[],
): void {
  const names = type.attributes.map(({ name }) => name);
  const seen = new Map<string, Located<string>>();
  for (const [what, field] of fields) {
    checkName(context, type, names, what, field);
    const first = seen.get(field.value);
    if (first === undefined) {
      seen.set(field.value, field);
      continue;
    }
    reportError(context.report, {
      code: 'type/admin',
      message: `${named(field.value)} occurs twice in the form of ${named(type.uid)}`,
      location: field.location,
      related: [{ message: 'it first occurs here', location: first.location }],
      hint: 'remove one of them',
    });
  }
}

function resolveLayout(context: ModelContext, type: ContentTypeDefinition): PanelLayout | undefined {
  const { layout: written = [], sidebar = [] } = type.admin ?? {};
  if (written.length === 0 && sidebar.length === 0) return undefined;
  checkFields(context, type, [
    ...written.flatMap(({ rows }) => rows.flat()).map((field) => ['layout', field] as const),
    ...sidebar.map((field) => ['sidebar', field] as const),
  ]);
  const rowsOf = ({ rows }: WrittenTab) => rows.map((row) => row.map(({ value }) => value));
  const tabs = written.flatMap((one): LayoutTab[] => {
    if (one.tab === undefined) return [];
    const { value, translations = {} } = one.tab;
    const texts = Object.fromEntries(Object.entries(translations).filter(([, text]) => text !== value));
    return [{ tab: value, ...(Object.keys(texts).length > 0 && { texts }), rows: rowsOf(one) }];
  });
  return {
    rows: written.filter(({ tab }) => tab === undefined).flatMap(rowsOf),
    ...(tabs.length > 0 && { tabs }),
    ...(sidebar.length > 0 && { sidebar: sidebar.map(({ value }) => value) }),
  };
}

/** Reports a name for several entries of a type that has one. */
function checkPlural({ report }: ModelContext, { uid, kind, admin }: ContentTypeDefinition): void {
  if (!admin?.plural || kind !== 'singleType') return;
  reportError(report, {
    code: 'type/admin',
    message: `\`plural\` of ${named(uid)} has no effect, because a single type has one entry`,
    location: admin.plural.location,
    hint: 'use `displayName` of the type',
  });
}

/** How the admin panel shows a type. Invalid names of attributes and roles are reported. */
export function resolveAdminView(context: ModelContext, type: ContentTypeDefinition): AdminView | undefined {
  const { admin, attributes } = type;
  if (admin === undefined) return undefined;
  const { mainField, columns, plural, group, icon } = admin;
  const open = attributes.filter((attribute) => !isSecret(attribute));
  const values = open.filter(({ kind }) => kind === 'scalar').map(({ name }) => name);
  if (mainField) checkName(context, type, values, 'mainField', mainField);
  checkPlural(context, type);
  const resolved = resolveColumns(context, type, columns);
  const layout = resolveLayout(context, type);
  return {
    ...(mainField && { mainField: mainField.value }),
    ...resolved,
    ...(plural && { plural: plural.value }),
    ...(group && { group: group.value }),
    ...(icon && { icon: icon.value }),
    ...(layout && { layout }),
  };
}
