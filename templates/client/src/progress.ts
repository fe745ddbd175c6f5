/** Uploads that tell how far they are: by XMLHttpRequest in browsers, where fetch can't, elsewhere by counting what is read. */
import type { Transport } from './send.ts';

/** `sent` and `total` are in bytes of the request, which is a little more than the files; `total` is 0 while it is unknown. */
export type OnProgress = (progress: { readonly sent: number; readonly total: number }) => void;

/** The answer's headers that matter. */
const HEADERS = ['Content-Type', 'Retry-After'];

function responseOf(request: XMLHttpRequest): Response {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
  return new Response(request.responseText, { status: request.status, headers });
}

function byXhr(onProgress: OnProgress): Transport {
  return (url, { method = 'POST', headers, body, signal, credentials }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      request.withCredentials = credentials === 'include';
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }));
      request.addEventListener('load', () => resolve(responseOf(request)));
      request.addEventListener('error', () => reject(new TypeError('the connection failed')));
      request.addEventListener('abort', () => reject(signal?.reason));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      if (signal?.aborted) reject(signal.reason);
      else request.send(body as XMLHttpRequestBodyInit);
    });
}

function counted(body: ReadableStream<Uint8Array>, size: number, onProgress: OnProgress): ReadableStream<Uint8Array> {
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      onProgress({ sent, total: Math.max(size, sent) });
      controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counter);
}

function byStream(onProgress: OnProgress, size: number, fetchIt: Transport): Transport {
  return (url, init) => {
    const form = new Response(init.body ?? null);
    // With the boundary of the form's parts. Before its body is asked for: then Bun does not tell it any more.
    const type = form.headers.get('Content-Type') ?? '';
    if (!form.body) return fetchIt(url, init);
    const headers = new Headers(init.headers);
    headers.set('Content-Type', type);
    const body = counted(form.body, size, onProgress);
    return fetchIt(url, { ...init, headers, body, duplex: 'half' } as RequestInit);
  };
}

/** `size` is that of the files. */
export function withProgress(onProgress: OnProgress, size: number, ownFetch: Transport | undefined): Transport {
  return ownFetch === undefined && typeof XMLHttpRequest !== 'undefined'
    ? byXhr(onProgress)
    : byStream(onProgress, size, ownFetch ?? fetch);
}
