/** The description at the top of openapi.json. */
import type { FormatName } from '#contract/api-settings.ts';

const OTHER: Readonly<Record<FormatName, string>> = {
  v4: 'With the header `Strapi-Response-Format: v5`, the server responds in the format of Strapi 5, which is not described here.',
  v5: 'With the header `Strapi-Response-Format: v4`, entries are nested as in Strapi 4, which is not described here.',
};

const VERSIONS: Readonly<Record<FormatName, string>> = { v4: '4', v5: '5' };

/** Markdown. `format` is the default format if the schema sets one; the server then supports both formats. */
export function introduction(format: FormatName | undefined): string {
  const other = format === undefined ? '' : `\n${OTHER[format]}`;
  return `Content of this server, in the format of Strapi ${VERSIONS[format ?? 'v4']}'s REST API.${other}

Lists and entries come without relations, media, components and zones: \`populate\` requests them. \`filters\`, \`populate\`, \`sort\` and
\`pagination\` are nested, and are written with brackets, as by the package \`qs\`:
\`?filters[title][$containsi]=a&populate[author][fields][0]=name&pagination[page]=2\`.

Every failure has the body \`ErrorResponse\`. Unsupported methods get 405 with the header \`Allow\`, and undocumented paths get 404.`;
}
