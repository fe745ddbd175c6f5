/** The folders of the media library: names for people, by which the addresses of files never change. */

export interface Folder {
  readonly id: number;
  readonly name: string;
  /** The folder that it is in; null at the top. */
  readonly parent: number | null;
}

/** Each folder, with the one that it is in. */
export const FOLDERS_TABLE = 'upload_folders';

/** The attribute of files with the id of their folder. */
export const FOLDER_ATTRIBUTE = 'folder';

/** All folders are read at once, so their number is what a request may cost. */
export const FOLDER_LIMITS = { folders: 1000, depth: 8, name: 100 } as const;

/** The files that are in no folder are in this one. */
export const TOP_FOLDER = 0;
