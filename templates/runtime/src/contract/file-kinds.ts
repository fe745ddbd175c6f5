/** MIME types that are accepted in uploads, with their extensions and how they are served. */

interface FileKind {
  /** With the dot. */
  readonly ext: string;
  /** Whether browsers display it instead of downloading it. False for everything that could contain scripts or markup. */
  readonly inline: boolean;
}

const shown = (ext: string): FileKind => ({ ext, inline: true });
const download = (ext: string): FileKind => ({ ext, inline: false });
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** MIME type → kind. Other types are rejected unless the settings allow them. */
const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ['image/jpeg', shown('.jpg')],
  ['image/png', shown('.png')],
  ['image/apng', shown('.apng')],
  ['image/gif', shown('.gif')],
  ['image/webp', shown('.webp')],
  ['image/avif', shown('.avif')],
  ['image/heif', shown('.heif')],
  ['image/heic', shown('.heic')],
  ['image/bmp', shown('.bmp')],
  ['image/tiff', shown('.tiff')],
  ['image/x-icon', shown('.ico')],
  ['image/svg+xml', download('.svg')],
  ['video/mp4', shown('.mp4')],
  ['video/x-m4v', shown('.m4v')],
  ['video/webm', shown('.webm')],
  ['video/ogg', shown('.ogv')],
  ['video/quicktime', shown('.mov')],
  ['video/3gpp', shown('.3gp')],
  ['video/mpeg', shown('.mpg')],
  ['video/matroska', shown('.mkv')],
  ['video/vnd.avi', shown('.avi')],
  ['audio/mpeg', shown('.mp3')],
  ['audio/aac', shown('.aac')],
  ['audio/flac', shown('.flac')],
  ['audio/x-m4a', shown('.m4a')],
  ['audio/ogg', shown('.ogg')],
  ['audio/mp4', shown('.m4b')],
  ['audio/aiff', shown('.aiff')],
  ['audio/wav', shown('.wav')],
  ['audio/midi', shown('.mid')],
  ['text/plain', shown('.txt')],
  ['text/csv', download('.csv')],
  ['text/markdown', download('.md')],
  ['text/calendar', download('.ics')],
  ['text/vcard', download('.vcf')],
  ['text/vtt', shown('.vtt')],
  ['text/html', download('.html')],
  ['application/json', download('.json')],
  ['application/xml', download('.xml')],
  ['application/pdf', download('.pdf')],
  ['application/rtf', download('.rtf')],
  ['application/epub+zip', download('.epub')],
  ['application/zip', download('.zip')],
  ['application/gzip', download('.gz')],
  ['application/x-7z-compressed', download('.7z')],
  ['application/x-tar', download('.tar')],
  ['application/x-rar-compressed', download('.rar')],
  ['application/msword', download('.doc')],
  ['application/vnd.ms-excel', download('.xls')],
  ['application/vnd.ms-powerpoint', download('.ppt')],
  [`${OFFICE}.wordprocessingml.document`, download('.docx')],
  [`${OFFICE}.spreadsheetml.sheet`, download('.xlsx')],
  [`${OFFICE}.presentationml.presentation`, download('.pptx')],
  [`${OPEN_DOCUMENT}.text`, download('.odt')],
  [`${OPEN_DOCUMENT}.spreadsheet`, download('.ods')],
  [`${OPEN_DOCUMENT}.presentation`, download('.odp')],
  ['font/woff', download('.woff')],
  ['font/woff2', download('.woff2')],
  ['font/ttf', download('.ttf')],
  ['font/otf', download('.otf')],
]);

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([...KINDS].map(([mime, { ext }]) => [ext, mime]));

/** The extension of a MIME type that is accepted by default, with the dot; undefined for other types. */
export function extensionOf(mime: string): string | undefined {
  return KINDS.get(mime)?.ext;
}

/** Whether a MIME type is accepted: one of `allowed` (`image/png`, `image/*`), or, if that is empty, of the defaults. */
export function isAcceptedType(mime: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return KINDS.has(mime);
  return allowed.some((pattern) => (pattern.endsWith('/*') ? mime.startsWith(pattern.slice(0, -1)) : pattern === mime));
}

/** Content type and disposition with which a file is served. `ext` is the extension of its stored name, with the dot. */
export function servedAs(ext: string): { readonly type: string; readonly disposition: 'inline' | 'attachment' } {
  const mime = BY_EXTENSION.get(ext);
  const inline = mime !== undefined && KINDS.get(mime)?.inline === true;
  const type = mime ?? 'application/octet-stream';
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    disposition: inline ? 'inline' : 'attachment',
  };
}

/** Whether a file may be the value of a media attribute with these `allowedTypes`. Without any, every file may. */
export function isAllowedIn(mime: string, allowedTypes: readonly string[] | undefined): boolean {
  if (allowedTypes === undefined || allowedTypes.length === 0) return true;
  const family = /^(?<family>image|video|audio)\//u.exec(mime)?.groups?.['family'];
  return allowedTypes.includes(family === undefined ? 'files' : `${family}s`);
}
