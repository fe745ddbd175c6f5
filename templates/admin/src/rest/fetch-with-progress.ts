/** Sends a request with XMLHttpRequest, because `fetch` does not report upload progress. */

type Init = Pick<RequestInit, 'method' | 'body'> & { readonly headers: Readonly<Record<string, string>> };

/** Like `fetch`; rejects with TypeError if the server could not be reached. `onProgress` gets values between 0 and 1. */
export function fetchWithProgress(
  url: string,
  { method = 'POST', headers, body }: Init,
  onProgress: (sent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('error', () => reject(new TypeError('The server could not be reached')));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const headers = new Headers();
      for (const name of ['Content-Type', 'Retry-After', 'Upload-Offset', 'Upload-File-Id']) {
        const value = request.getResponseHeader(name);
        if (value !== null) headers.set(name, value);
      }
      resolve(new Response(responseText === '' ? null : responseText, { status, headers }));
    });
    request.send(body as XMLHttpRequestBodyInit);
  });
}
