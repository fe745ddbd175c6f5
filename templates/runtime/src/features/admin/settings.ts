/** The settings that the admin page reads. */
export interface AdminServerSettings {
  readonly production: boolean;
  readonly uploads: {
    /** Maximum size of a file, in bytes. */
    readonly maxSize: number;
    /** Where browsers get files, if that is another host. */
    readonly s3: { readonly publicUrl: string | undefined } | undefined;
  };
}
