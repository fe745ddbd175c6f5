-- 0001_create_home_note_tag_e2b39a16: undone on SQLite

-- limits of tries
DROP TABLE "rate_limits";

-- changes of roles and permissions
DROP TABLE "access_changes";

-- API tokens, what they may do
DROP TABLE "api_token_permissions";

-- API tokens
DROP TABLE "api_tokens";

-- roles, what they may do
DROP TABLE "user_role_permissions";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";

-- note.tags
DROP TABLE "notes_tags_links";

-- tag
DROP TABLE "tags";

-- note
DROP TABLE "notes";

-- home
DROP TABLE "homes";
