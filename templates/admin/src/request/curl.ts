/** Formats a request as a curl command. */
import { type ApiRequest, FORMAT_HEADER, urlOf } from '../rest/request.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function curlOf(request: ApiRequest): string {
  const { method = 'GET', body, ifMatch, format } = request;
  const parts = ['curl -sg'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quoted(decodeURI(`${location.origin}${urlOf(request)}`)), '-H "Authorization: Bearer $TOKEN"');
  if (format) parts.push(`-H ${quoted(`${FORMAT_HEADER}: ${format}`)}`);
  if (ifMatch !== undefined) parts.push(`-H ${quoted(`If-Match: ${ifMatch}`)}`);
  if (body instanceof FormData) parts.push('-F files=@FILE');
  else if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}
