-- 0001_create_article_book_remark_09e81b41: undone on SQLite

-- components, their ids
DROP TABLE "component_ids";

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

-- user.shelf
DROP TABLE "users_shelf_links_published";
DROP TABLE "users_shelf_links";

-- remark.about
DROP TABLE "remarks_about_morphs_published";

-- remark.subject
DROP TABLE "remarks_subject_morphs_published";

-- remark
DROP TABLE "remarks_published";

-- remark.about
DROP TABLE "remarks_about_morphs";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";

-- remark.subject
DROP TABLE "remarks_subject_morphs";

-- remark
DROP TABLE "remarks";

-- book
DROP TABLE "books";

-- article
DROP TABLE "articles_published";
DROP TABLE "articles";
