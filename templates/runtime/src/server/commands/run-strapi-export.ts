/** `npm run data -- export --format strapi` of a generated server. */
import type { TransferContext } from '../../features/transfer/context.ts';
import { findingsText } from '../../features/transfer/strapi/import-report.ts';
import { exportStrapi } from '../../features/transfer/strapi-export/export-strapi.ts';

/**
 * Writes an archive, and prints a summary of its contents and of what the format can't represent. Returns whether it has the bytes
 * of all files.
 */
export async function exportStrapiArchive(
  context: TransferContext,
  out: string,
  print: (text: string) => void,
): Promise<boolean> {
  const { version, entities, links, files, isComplete, findings } = await exportStrapi(context, out).finally(() =>
    context.progress.clear(),
  );
  print(
    `Exported ${entities} entities, ${links} links and ${files} files for Strapi ${version}.${findingsText(findings)}`,
  );
  return isComplete;
}
