import type { ContentModel, RolePermissions } from '../../model/content-model.ts';

/** The input of the OpenAPI document. */
export interface Described extends Pick<ContentModel, 'name' | 'locales' | 'contentTypes' | 'components'> {
  readonly api: Pick<ContentModel['api'], 'format' | 'entryMeta' | 'defaultPageSize' | 'maxPageSize'>;
  /** Whether the server has an admin panel. */
  readonly admin: true | undefined;
  /** Whether costs are counted; absent if not. */
  readonly costs?: true;
  /** Whether there is an audit. */
  readonly audit: boolean;
  /** Whether clients can wait for events. */
  readonly events: boolean;
  /** Whether anybody is told of events; absent if not. */
  readonly webhooks?: true;
  /** Whether there are jobs; absent if not. */
  readonly jobs?: true;
  /** Whether previews ask for marks; absent if there are none. */
  readonly marks?: true;
  /** The permissions of the role `public`. */
  readonly open: readonly string[];
  /** The rules of all roles; absent if there are none. */
  readonly rules?: readonly Pick<RolePermissions, 'role' | 'rules'>[];
}
