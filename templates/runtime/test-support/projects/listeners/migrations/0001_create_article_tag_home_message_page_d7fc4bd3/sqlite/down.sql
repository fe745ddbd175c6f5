-- 0001_create_article_tag_home_message_page_d7fc4bd3: undone on SQLite

-- events, their order
DROP TABLE "event_positions";

-- events that clients wait for
DROP TABLE "event_log";

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

-- page
DROP TABLE "pages";

-- message
DROP TABLE "messages";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";

-- home
DROP TABLE "homes";

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
