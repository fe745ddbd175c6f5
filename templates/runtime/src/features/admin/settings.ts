/** The settings that the admin page reads. */
export interface AdminServerSettings {
  readonly production: boolean;
  readonly uploads: {
    /** Maximum size of a file, in bytes. */
    readonly maxSize: number;
  };
}
