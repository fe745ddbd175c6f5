/** Reports upload progress: in browsers with XMLHttpRequest, since fetch can't; elsewhere by counting the bytes read from the body. */
import type { Transport } from './send.ts';

/** `sent` and `total` are bytes of the request, which is slightly larger than the files; `total` is 0 while it is unknown. */
export type OnProgress = (progress: { readonly sent: number; readonly total: number }) => void;

/** The response headers that the client reads. */
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
    // Contains the multipart boundary. Must be read before `body` is accessed, since Bun no longer returns it afterwards.
    const type = form.headers.get('Content-Type') ?? '';
    if (!form.body) return fetchIt(url, init);
    const headers = new Headers(init.headers);
    headers.set('Content-Type', type);
    const body = counted(form.body, size, onProgress);
    return fetchIt(url, { ...init, headers, body, duplex: 'half' } as RequestInit);
  };
}

/** Creates a transport that reports progress. `size`: total size of the files, in bytes. */
export function withProgress(onProgress: OnProgress, size: number, ownFetch: Transport | undefined): Transport {
  return ownFetch === undefined && typeof XMLHttpRequest !== 'undefined'
    ? byXhr(onProgress)
    : byStream(onProgress, size, ownFetch ?? fetch);
}
