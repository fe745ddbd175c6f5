-- 0001_create_vault_article_door_home_2d93fe7a: undone on SQLite

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

-- home
DROP TABLE "homes";

-- door
DROP TABLE "doors";

-- article
DROP TABLE "articles";

-- vault
DROP TABLE "vaults";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";
