/** The pages with forms, which are loaded together. */
export { EntryCreatePage } from './entry-create-page.tsx';
export { EntryEditPage } from './entry-edit-page.tsx';
export { SinglePage } from './single-page.tsx';
