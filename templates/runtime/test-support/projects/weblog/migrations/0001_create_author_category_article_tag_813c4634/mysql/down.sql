-- 0001_create_author_category_article_tag_813c4634: undone on MySQL and MariaDB

-- receivers of events
DROP TABLE `outbox_receivers`;

-- events to be told
DROP TABLE `outbox`;

-- requests with an Idempotency-Key
DROP TABLE `idempotency_keys`;

-- rate limits
DROP TABLE `rate_limits`;

-- changes of roles and permissions
DROP TABLE `access_changes`;

-- API tokens, what they may do
DROP TABLE `api_token_permissions`;

-- API tokens
DROP TABLE `api_tokens`;

-- roles, what they may do
DROP TABLE `user_role_permissions`;

-- user
DROP TABLE `users`;

-- user-role
DROP TABLE `user_roles`;

-- article.tags
DROP TABLE `articles_tags_links`;

-- tag
DROP TABLE `tags`;

-- article
DROP TABLE `articles`;

-- category
DROP TABLE `categories`;

-- author
DROP TABLE `authors`;
