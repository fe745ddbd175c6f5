/** The permission to use the admin page. */
export const ACCESS = 'admin.access';
