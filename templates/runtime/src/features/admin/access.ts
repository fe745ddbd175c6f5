/** What a role needs whose users may use the page. */
export const ACCESS = 'admin.access';
