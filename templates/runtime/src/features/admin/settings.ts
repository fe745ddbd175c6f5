/** The settings that the admin page reads. */
import type { WorkerPlace } from '../../base/siblings.ts';

/** Of the server. */
export interface AdminServerSettings {
  readonly production: boolean;
  readonly worker: WorkerPlace | undefined;
  readonly uploads: {
    /** Maximum size of a file, in bytes. */
    readonly maxSize: number;
    /** Where browsers get files, if that is another host. */
    readonly s3: { readonly publicUrl: string | undefined } | undefined;
  };
}
