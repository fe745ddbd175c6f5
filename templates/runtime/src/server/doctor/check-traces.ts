/** Checks that the collector accepts traces, for servers with the setting. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTracePackages, type TracePackages } from '../traces/trace-packages.ts';
import { isWebAddress, WRONG_ENDPOINT } from '../traces/traces-settings.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout } from './finding.ts';

const of = findingsAbout('traces');

/** Timeout for the collector, in milliseconds. The exporter itself retries for longer. */
const TIMEOUT = 5000;

/**
 * Sends an empty list of spans in the same way as the server: with the address, headers and certificates in the environment.
 * Resolves with the problem, if any.
 */
async function send({ exporter }: TracePackages): Promise<string | undefined> {
  const sender = new exporter.OTLPTraceExporter();
  const sent = new Promise<string | undefined>((resolve) => {
    sender.export([], ({ error }) => resolve(error === undefined ? undefined : error.message || error.name));
  });
  const ended = new AbortController();
  const late = sleep(TIMEOUT, `no response within ${TIMEOUT / 1000} s`, { signal: ended.signal }).catch(
    () => undefined,
  );
  try {
    return await Promise.race([sent, late]);
  } finally {
    ended.abort();
    void sender.shutdown().catch(() => undefined);
  }
}

/** Sends a request to the collector. No findings if traces are disabled. */
export async function checkTraces({ traces }: Pick<Settings, 'traces'>): Promise<readonly Finding[]> {
  if (!traces) return [];
  const { endpoint, protocol } = traces;
  if (!isWebAddress(endpoint)) return [of.bad(`not sent: ${WRONG_ENDPOINT}`)];
  const packages = loadTracePackages(protocol);
  if (typeof packages === 'string') return [of.bad(`not sent: ${packages}`)];
  const { host } = new URL(endpoint);
  const started = performance.now();
  const wrong = await send(packages);
  const milliseconds = (performance.now() - started).toFixed(1);
  return [
    wrong === undefined
      ? of.good(`the collector at ${host} accepts them, and responds in ${milliseconds} ms`)
      : of.bad(`the collector at ${host} does not accept them: ${wrong}`),
  ];
}
