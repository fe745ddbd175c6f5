/** `key` of types: the attribute by which requests also find an entry. */
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition } from '../schema/definition.ts';
import type { Attribute } from './content-model.ts';
import type { ModelContext } from './model-context.ts';

/** Whether a value identifies an entry, and may be part of a URL that anybody sees. */
function canBeKey(attribute: Attribute): boolean {
  if (attribute.kind !== 'scalar' || attribute.private) return false;
  return attribute.type === 'uid' || (attribute.type === 'string' && attribute.unique);
}

export function resolveKey(
  { report }: ModelContext,
  { uid, kind, key }: ContentTypeDefinition,
  attributes: readonly Attribute[],
): string | undefined {
  if (key === undefined) return undefined;
  const { value, location } = key;
  const names = attributes.filter(canBeKey).map(({ name }) => name);
  const known = attributes.find(({ name }) => name === value);
  if (kind === 'singleType') {
    const message = `the single type ${named(uid)} has a \`key\`, but only one entry`;
    reportError(report, { code: 'type/key', message, location, hint: 'delete `key`' });
  } else if (!names.includes(value)) {
    const reason = known ? 'is no uid and no unique string, or is private' : 'does not exist';
    reportError(report, {
      code: 'type/key',
      message: `\`key\` of ${named(uid)} names ${named(value)}, which ${reason}`,
      location,
      related: known && [{ message: 'it is defined here', location: known.location }],
      hint: suggestion(value, names) ?? 'name an attribute with `type: uid`, or a string with `unique: true`',
    });
  }
  return value;
}
