/** Warns of settings that are valid but rarely intended. */
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout } from './finding.ts';

const of = findingsAbout('settings');

/** Checks settings that have been read successfully. */
export function checkSettings({ production, auth, cors, trustProxy, uploads, logLevel }: Settings): readonly Finding[] {
  const found: Finding[] = [];
  if (!production) {
    found.push(of.warning('NODE_ENV is not production: .env is read, and pages of localhost may call the API'));
  }
  if (production && auth.smtp === undefined) {
    found.push(of.warning("SMTP_URL is not set: forgotten passwords can't be reset"));
  }
  if (production && cors.origins.includes('*')) {
    found.push(of.warning('CORS_ORIGINS=* allows pages of any origin to call the API'));
  }
  if (auth.rateLimit === 0) found.push(of.warning('AUTH_RATE_LIMIT=0: password guessing is not limited'));
  if (production && !trustProxy) {
    found.push(
      of.warning(
        'TRUST_PROXY is false: correct without a proxy; behind one, all clients share its address in rate limits',
      ),
    );
  }
  if (logLevel === 'silent') found.push(of.warning('LOG_LEVEL=silent: errors are not logged either'));
  const storage = uploads.s3 ? 'a bucket' : uploads.directory;
  return [of.good(`valid; Node.js ${process.versions.node}; files in ${storage}`), ...found];
}
