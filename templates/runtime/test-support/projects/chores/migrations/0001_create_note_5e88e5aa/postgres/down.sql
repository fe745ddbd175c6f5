-- 0001_create_note_5e88e5aa: undone on PostgreSQL

-- when scheduled jobs are due
DROP TABLE "job_schedules";

-- jobs to be done
DROP TABLE "queued_jobs";

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

-- note
DROP TABLE "notes";
