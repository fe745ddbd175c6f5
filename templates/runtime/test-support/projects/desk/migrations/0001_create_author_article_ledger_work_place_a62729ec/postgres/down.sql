-- 0001_create_author_article_ledger_work_place_a62729ec: undone on PostgreSQL

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

-- work-place
DROP TABLE "work_places";

-- article
DROP TABLE "articles_component_links_published";

-- article.about
DROP TABLE "articles_about_morphs_published";

-- article
DROP TABLE "articles_published";
DROP TABLE "articles_component_links";

-- article.about
DROP TABLE "articles_about_morphs";

-- ledger
DROP TABLE "ledgers";

-- article
DROP TABLE "articles";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";

-- author
DROP TABLE "authors";

-- file
DROP TABLE "files";
