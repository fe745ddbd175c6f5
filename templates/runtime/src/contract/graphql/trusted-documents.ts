/** Documents by their hash, or by another name that clients use for them. */
export type TrustedDocuments = Readonly<Record<string, string>>;
