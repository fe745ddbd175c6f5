-- 0001_create_author_article_tag_page_f12dfbfe: undone on PostgreSQL

-- components, their ids
DROP TABLE "component_ids";

-- stored files without an entry
DROP TABLE "pending_files";

-- receivers of events
DROP TABLE "outbox_receivers";

-- events to be told
DROP TABLE "outbox";

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

-- page
DROP TABLE "pages";

-- article
DROP TABLE "articles_component_links_published";

-- article.tags
DROP TABLE "articles_tags_links_published";

-- article
DROP TABLE "articles_published";
DROP TABLE "articles_component_links";

-- article.tags
DROP TABLE "articles_tags_links";

-- tag
DROP TABLE "tags";

-- article
DROP TABLE "articles";

-- author
DROP TABLE "authors";

-- file
DROP TABLE "files";
