/** Multipart bodies, also those that no client would make. */

export interface FormPart {
  readonly name: string;
  /** Makes it a file. */
  readonly filename?: string;
  readonly type?: string;
  readonly content: string | Uint8Array;
}

export const BOUNDARY = 'attack-boundary';

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The parts as bytes, names and file names as they are given, without the closing line if `open`. */
export function encodeForm(parts: readonly FormPart[], { open = false } = {}): { body: Buffer; type: string } {
  const chunks = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${
        filename === undefined ? '' : `; filename="${filename}"`
      }\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  if (!open) chunks.push(Buffer.from(`--${BOUNDARY}--\r\n`));
  return { body: Buffer.concat(chunks), type: `multipart/form-data; boundary=${BOUNDARY}` };
}
