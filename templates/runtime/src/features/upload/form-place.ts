/** Where the files of a multipart body go in its `data`, by the names of their parts. */
import { BadRequestError } from '../../contract/errors.ts';

export type Container = Record<string, unknown>;

const PREFIX = 'files.';

/** Where in `data` the files of a part go: what holds the attribute, and the attribute. */
export interface Place {
  readonly holder: Container;
  readonly attribute: string;
  readonly path: readonly string[];
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** The place of `files.cover`, and inside of components of `files.seo.image` and `files.links.0.icon`. Throws BadRequestError where there is none. */
export function placeOf(data: Container, field: string): Place {
  const path = field.startsWith(PREFIX) ? field.slice(PREFIX.length).split('.') : [];
  const attribute = path.at(-1);
  let holder: unknown = data;
  for (const segment of path.slice(0, -1)) {
    holder = isContainer(holder) && Object.hasOwn(holder, segment) ? holder[segment] : undefined;
  }
  if (attribute === undefined || attribute === '' || !isContainer(holder) || Array.isArray(holder)) {
    throw new BadRequestError('The name of each file must be files.ATTRIBUTE, of an attribute that data has room for');
  }
  return { holder, attribute, path };
}
