/** The pages of a type: its list and entry forms, or the form of a single type. */
import { NotFound, Resource, type ResourceDefinitions } from 'react-admin';
import { useParams } from 'react-router';
import { EntryCreatePage } from '../entry/entry-create-page.tsx';
import { EntryEditPage } from '../entry/entry-edit-page.tsx';
import { SinglePage } from '../entry/single-page.tsx';
import { EntryList } from '../list/entry-list.tsx';
import { type ContentType, resourceOf } from '../model/model.ts';
import { type ModelIndex, useModel } from '../model/model-context.tsx';

function resourceProps(type: ContentType) {
  const name = resourceOf(type);
  const options = { label: type.displayName };
  return type.kind === 'single'
    ? { name, options, list: SinglePage }
    : {
        name,
        options,
        list: EntryList,
        edit: EntryEditPage,
        create: EntryCreatePage,
        recordRepresentation: type.mainField,
      };
}

/**
 * react-admin's definitions of all types. Passed at once, because resources that register themselves copy the whole map each
 * time, which takes a second for hundreds of types.
 */
export function resourceDefinitions({ pages }: ModelIndex): ResourceDefinitions {
  return Object.fromEntries(pages.map((type) => [resourceOf(type), Resource.registerResource(resourceProps(type))]));
}

/** The pages below `/:resource`. */
export function TypePages() {
  const { resource } = useParams();
  const type = useModel().pages.find((other) => resourceOf(other) === resource);
  return type ? <Resource key={resource} {...resourceProps(type)} /> : <NotFound />;
}
