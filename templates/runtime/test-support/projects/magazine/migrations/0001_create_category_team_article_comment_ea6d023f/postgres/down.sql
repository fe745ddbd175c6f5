-- 0001_create_category_team_article_comment_ea6d023f: undone on PostgreSQL

-- components, their ids
DROP TABLE "component_ids";

-- stored files without an entry
DROP TABLE "pending_files";

-- requests with an Idempotency-Key
DROP TABLE "idempotency_keys";

-- rate limits
DROP TABLE "rate_limits";

-- changes of roles and permissions
DROP TABLE "access_changes";

-- API tokens, what they may do
DROP TABLE "api_token_permissions";

-- API tokens
DROP TABLE "api_tokens";

-- roles, what they may do
DROP TABLE "user_role_permissions";

-- team.members
DROP TABLE "teams_members_links";

-- comment
DROP TABLE "comments";

-- category.moderators
DROP TABLE "categories_moderators_links";

-- article
DROP TABLE "articles_component_links_published";
DROP TABLE "articles_published";
DROP TABLE "articles_component_links";
DROP TABLE "articles";

-- team
DROP TABLE "teams";

-- category
DROP TABLE "categories";

-- file
DROP TABLE "files";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";
