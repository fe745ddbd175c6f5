/** The report of an import: what was converted, what has no equivalent, and what the user has to decide. */
import { visibleText } from '../diagnostics/visible-text.ts';
import type { Draft } from './draft.ts';
import type { Finding } from './strapi-project.ts';

/** Counts of what was converted. */
export interface Taken {
  readonly types: number;
  readonly components: number;
  readonly attributes: number;
  readonly userAttributes: number;
  readonly roles: number;
  readonly locales: number;
}

export function takenOf({ types, components, users, roles, locales }: Draft): Taken {
  const attributes = [...types, ...components].reduce((sum, owner) => sum + owner.attributes.length, 0);
  return {
    types: types.length,
    components: components.length,
    attributes,
    userAttributes: users?.attributes.length ?? 0,
    roles: roles.length,
    locales: locales.length,
  };
}

const TITLES: readonly (readonly [Finding['kind'], string])[] = [
  ['decide', 'Decisions for you to make'],
  ['unsupported', 'Not supported'],
  ['changed', 'Converted to another form'],
];

function line({ what, message, place }: Finding): string {
  const where = place === undefined || place === what ? '' : ` (${place})`;
  return visibleText(`  ${what}${where}: ${message}`);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The report as text, ending in a line feed. */
export function renderFindings(taken: Taken, findings: readonly Finding[]): string {
  const parts = [
    counted(taken.types, 'content type'),
    counted(taken.components, 'component'),
    counted(taken.attributes, 'attribute'),
    ...(taken.userAttributes > 0 ? [`${counted(taken.userAttributes, 'attribute')} of users`] : []),
    ...(taken.roles > 0 ? [counted(taken.roles, 'role')] : []),
    ...(taken.locales > 0 ? [counted(taken.locales, 'locale')] : []),
  ];
  const lines = [`Imported: ${parts.join(', ')}.`];
  for (const [kind, title] of TITLES) {
    const own = findings.filter((finding) => finding.kind === kind);
    if (own.length > 0) lines.push('', `${title}:`, ...own.map(line));
  }
  return `${lines.join('\n')}\n`;
}
