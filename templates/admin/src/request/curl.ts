/** Formats a request as a curl command. */
import { type ApiRequest, conditionHeaders, conditionOf, FORMAT_HEADER, urlOf } from '../rest/api-request.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function formParts(form: FormData): readonly string[] {
  return [...form].map(([name, value]) =>
    // `-F` would interpret `@`, `<` and `;type=` in a value.
    typeof value === 'string' ? `--form-string ${quoted(`${name}=${value}`)}` : `-F ${name}=@FILE`,
  );
}

/** `origin`: of the server, such as `https://example.org`. */
export function curlOf(request: ApiRequest, origin: string): string {
  const { method = 'GET', body, format } = request;
  const headers = { ...(format && { [FORMAT_HEADER]: format }), ...conditionHeaders(conditionOf(request)) };
  const parts = ['curl -sg'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quoted(origin + urlOf(request)), '-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body instanceof FormData) parts.push(...formParts(body));
  else if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}
