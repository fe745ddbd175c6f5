-- 0001_create_front_product_part_tag_story_77e2ff99: undone on MySQL and MariaDB

-- stored files without an entry
DROP TABLE `pending_files`;

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

-- story
DROP TABLE `stories_published`;
DROP TABLE `stories`;

-- product.tags
DROP TABLE `products_tags_links`;

-- tag
DROP TABLE `tags`;

-- part
DROP TABLE `parts`;

-- product
DROP TABLE `products`;

-- file
DROP TABLE `files`;

-- user
DROP TABLE `users`;

-- user-role
DROP TABLE `user_roles`;

-- front
DROP TABLE `fronts`;
