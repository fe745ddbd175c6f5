/** The pages of a type: its list and entry forms, or the form of a single type. */
import { lazy, useEffect } from 'react';
import { NotFound, Resource, type ResourceDefinitions } from 'react-admin';
import { useParams } from 'react-router';
import { EntryList } from '../list/entry-list.tsx';
import { type ContentType, pluralOf, resourceOf } from '../model/model.ts';
import { type ModelIndex, useModel } from '../model/model-context.tsx';

/** Forms are loaded on demand: who opens a list first, sees it earlier. */
const loadForms = () => import('../entry/entry-pages.ts');

const EntryCreatePage = lazy(async () => ({ default: (await loadForms()).EntryCreatePage }));
const EntryEditPage = lazy(async () => ({ default: (await loadForms()).EntryEditPage }));
const SinglePage = lazy(async () => ({ default: (await loadForms()).SinglePage }));

/** How long the page has nothing to do before it loads the forms, in milliseconds. */
const IDLE = 1500;

/** Loads the forms once the first page is there. */
export function useLoadedForms(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadForms().catch(() => undefined), IDLE);
    return () => clearTimeout(timer);
  }, []);
}

function resourceProps(type: ContentType) {
  const name = resourceOf(type);
  const options = { label: pluralOf(type) };
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
