/** `register` of `users`: the attributes that can be set on registration. */
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, Located, UsersDefinition } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** Why the attribute can't be set on registration; undefined if it can. */
function fault(attribute: AttributeDefinition): string | undefined {
  if (!attribute.writable) return 'no request can set it';
  // Linking an entry requires a permission of its own, which nobody has before having an account.
  if (attribute.kind !== 'scalar') return 'only single values can be given by somebody who is not signed in';
  return undefined;
}

function checkName({ report }: ModelContext, users: UsersDefinition, { value, location }: Located<string>): void {
  const attribute = users.attributes.find(({ name }) => name === value);
  if (attribute === undefined) {
    reportError(report, {
      code: 'users/register',
      message: `\`register\` names ${named(value)}, which is not an attribute of \`users\``,
      location,
      hint:
        suggestion(
          value,
          users.attributes.map(({ name }) => name),
        ) ?? 'user name, address and password are given in any case',
    });
    return;
  }
  const why = fault(attribute);
  if (why === undefined) return;
  const message = `${named(value)} can't be given at registration: ${why}`;
  const related = [{ message: 'it is here', location: attribute.location }];
  reportError(report, { code: 'users/register', message, location, related, hint: 'leave it out of `register`' });
}

/** Reports names in `register` that are invalid, and required attributes that are missing from it. */
export function checkRegistration(context: ModelContext, users: UsersDefinition): void {
  const seen = new Set<string>();
  for (const name of users.register) {
    if (seen.has(name.value)) {
      const message = `\`register\` names ${named(name.value)} twice`;
      reportError(context.report, {
        code: 'users/register',
        message,
        location: name.location,
        hint: 'keep one of them',
      });
    } else checkName(context, users, name);
    seen.add(name.value);
  }
  for (const { name, location, required, default: given } of users.attributes) {
    if (!required || given !== undefined || seen.has(name)) continue;
    reportError(context.report, {
      code: 'users/register',
      message: `nobody could register: ${named(name)} is required, has no default, and is not among those of \`register\``,
      location,
      hint: `write register: [${[...seen, name].join(', ')}], give it a default, or leave \`required\` out`,
    });
  }
}
