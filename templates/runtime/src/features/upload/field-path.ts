/** Maps part names of a multipart body, such as `files.cover`, to attributes in its `data`. */
import { BadRequestError } from '../../contract/errors.ts';

export type Container = Record<string, unknown>;

const PREFIX = 'files.';

/** An attribute in `data`: the object that contains it, its name, and its full path. */
export interface FieldPath {
  readonly holder: Container;
  readonly attribute: string;
  readonly path: readonly string[];
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/**
 * Resolves `files.cover`, or within components `files.seo.image` and `files.links.0.icon`. Throws BadRequestError if
 * `data` has no such path.
 */
export function resolveFieldPath(data: Container, field: string): FieldPath {
  const path = field.startsWith(PREFIX) ? field.slice(PREFIX.length).split('.') : [];
  const attribute = path.at(-1);
  let holder: unknown = data;
  for (const segment of path.slice(0, -1)) {
    holder = isContainer(holder) && Object.hasOwn(holder, segment) ? holder[segment] : undefined;
  }
  if (attribute === undefined || attribute === '' || !isContainer(holder) || Array.isArray(holder)) {
    throw new BadRequestError(
      'The name of each file must be files.ATTRIBUTE, and ATTRIBUTE must be a path whose parent exists in data',
    );
  }
  return { holder, attribute, path };
}
