/** What is shown of an image while it loads: its ThumbHash, in base64. */

/** The attribute of files that have one. */
export const PLACEHOLDER_ATTRIBUTE = 'placeholder';
