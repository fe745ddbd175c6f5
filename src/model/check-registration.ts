/** `register` of `users`: the attributes that can be set on registration. */
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, Located, UsersDefinition } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** Why the attribute can't be set on registration; undefined if it can. */
function fault(attribute: AttributeDefinition): string | undefined {
  if (!attribute.writable) return "requests can't set it";
  // Linking an entry requires a permission of its own, which nobody has before having an account.
  if (attribute.kind !== 'scalar') return 'users who are not signed in can only set single values';
  return undefined;
}

function checkName({ report }: ModelContext, users: UsersDefinition, { value, location }: Located<string>): void {
  const attribute = users.attributes.find(({ name }) => name === value);
  if (attribute === undefined) {
    reportError(report, {
      code: 'users/register',
      message: `\`register\` contains ${named(value)}, which is not an attribute of \`users\``,
      location,
      hint:
        suggestion(
          value,
          users.attributes.map(({ name }) => name),
        ) ?? 'the user name, e-mail address and password are always included',
    });
    return;
  }
  const why = fault(attribute);
  if (why === undefined) return;
  const message = `\`register\` can't contain ${named(value)}: ${why}`;
  const related = [{ message: 'it is defined here', location: attribute.location }];
  reportError(report, { code: 'users/register', message, location, related, hint: 'remove it from `register`' });
}

/** Reports names in `register` that are invalid, and required attributes that are missing from it. */
export function checkRegistration(context: ModelContext, users: UsersDefinition): void {
  const seen = new Set<string>();
  for (const name of users.register) {
    if (seen.has(name.value)) {
      const message = `\`register\` contains ${named(name.value)} twice`;
      reportError(context.report, {
        code: 'users/register',
        message,
        location: name.location,
        hint: 'remove one of them',
      });
    } else checkName(context, users, name);
    seen.add(name.value);
  }
  for (const { name, location, required, default: given } of users.attributes) {
    if (!required || given !== undefined || seen.has(name)) continue;
    reportError(context.report, {
      code: 'users/register',
      message: `registration would always fail: ${named(name)} is required, has no default, and is not in \`register\``,
      location,
      hint: `write register: [${[...seen, name].join(', ')}], add a default, or remove \`required\``,
    });
  }
}
