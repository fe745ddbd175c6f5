/** What openapi.json says about all of its operations. */

/** Markdown. */
export const INTRODUCTION = `Content of this server, in the format of Strapi 4's REST API.

Lists and entries come without relations, media, components and zones: \`populate\` asks for them. \`filters\`, \`populate\`, \`sort\` and
\`pagination\` are nested, and are written with brackets, as the package \`qs\` does it:
\`?filters[title][$containsi]=a&populate[author][fields][0]=name&pagination[page]=2\`.

Every failure has the body \`ErrorResponse\`. A path that has no operation of a method answers 405 with the header \`Allow\`, and a
path that is not described answers 404.`;
