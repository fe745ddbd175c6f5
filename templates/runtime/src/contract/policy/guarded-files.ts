/** Whether files are only for whoever may find them: rules then decide about their bytes, too. */
import type { Rules } from './rule.ts';

const READING = ['upload.find', 'upload.findOne'];

/** Some role has a rule for finding files, and visitors may not find all of them. */
export function guardsFiles({
  roles,
  rules = {},
}: {
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly rules?: Readonly<Record<string, Rules>>;
}): boolean {
  const { public: open = [] } = roles;
  const isOpen = READING.some((permission) => open.includes(permission) && !rules['public']?.[permission]);
  return !isOpen && Object.values(rules).some((own) => READING.some((permission) => own[permission] !== undefined));
}
