/** Prevents an older generator from silently reverting what a newer one wrote. */
import { compareVersions } from './compare-versions.ts';
import { generatorFingerprint, versionOf } from './generator-fingerprint.ts';
import { Refusal } from './io-error.ts';
import type { ManifestState } from './manifest.ts';
import { MANIFEST_FILE } from './project-path.ts';

/**
 * The version that wrote a project, if it is newer than `own`. For a merged manifest, the newer version of both sides.
 */
export function newerWriter(manifest: ManifestState, own: string): string | undefined {
  return writersOf(manifest)
    .flatMap((fingerprint) => versionOf(fingerprint) ?? [])
    .filter((version) => compareVersions(version, own) > 0)
    .sort(compareVersions)
    .at(-1);
}

function writersOf(manifest: ManifestState): readonly string[] {
  switch (manifest.kind) {
    case 'read':
      return [manifest.manifest.generator];
    case 'merged':
      return manifest.generators;
    case 'absent':
    case 'unreadable':
    case 'newer':
      return [];
  }
}

/** Throws a `Refusal` if a newer version of content-gen wrote the project. */
export function refuseDowngrade(manifest: ManifestState): void {
  const own = versionOf(generatorFingerprint()) ?? '';
  const writer = newerWriter(manifest, own);
  if (writer === undefined) return;
  throw new Refusal({
    code: 'output/downgrade',
    severity: 'error',
    kind: 'refused',
    message: `according to ${MANIFEST_FILE}, the project was written by content-gen ${writer}; building with content-gen ${own}, which is older, would revert changes of the newer version`,
    hint: `install content-gen ${writer} or later; to downgrade the project on purpose, build with --downgrade`,
  });
}
