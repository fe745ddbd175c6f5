/** The settings that the admin page reads. */
import type { WorkerSlot } from '../../base/siblings.ts';

/** The part of the server settings that concerns the admin page. */
export interface AdminServerSettings {
  readonly production: boolean;
  readonly worker: WorkerSlot | undefined;
  readonly uploads: {
    /** Maximum size of a file, in bytes. */
    readonly maxSize: number;
    /** Base URL of files, if they are served by another host. */
    readonly s3: { readonly publicUrl: string | undefined } | undefined;
  };
}
