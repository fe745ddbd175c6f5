-- 0001_create_article_tag_bd15f6c8: undone on SQLite

-- the chain of the audit
DROP TABLE "audit_chain";

-- the audit
DROP TABLE "audit_log";

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

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";

-- article.tags
DROP TABLE "articles_tags_links_published";

-- article
DROP TABLE "articles_published";

-- article.tags
DROP TABLE "articles_tags_links";

-- tag
DROP TABLE "tags";

-- article
DROP TABLE "articles";
