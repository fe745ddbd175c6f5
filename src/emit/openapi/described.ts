import type { ContentModel } from '../../model/content-model.ts';

/** What the document follows from. */
export interface Described extends Pick<ContentModel, 'name' | 'locales' | 'contentTypes' | 'components'> {
  readonly api: Pick<ContentModel['api'], 'format' | 'defaultPageSize' | 'maxPageSize'>;
  /** Whether there is a page for editors. */
  readonly admin: true | undefined;
  /** What everybody may do. */
  readonly open: readonly string[];
}
