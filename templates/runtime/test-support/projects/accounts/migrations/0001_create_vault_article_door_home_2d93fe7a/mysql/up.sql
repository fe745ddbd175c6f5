-- 0001_create_vault_article_door_home_2d93fe7a: applied on MySQL and MariaDB

-- user-role
CREATE TABLE `user_roles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext NOT NULL,
  `description` longtext,
  `type` varchar(255) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `user_roles__type_unique` (`type`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- user
CREATE TABLE `users` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `username` varchar(255) NOT NULL,
  `email` varchar(255) NOT NULL,
  `provider` longtext,
  `password` varchar(255),
  `reset_password_token` varchar(255),
  `reset_password_expires_at` datetime(3),
  `confirmation_token` varchar(255),
  `confirmation_expires_at` datetime(3),
  `confirmed` boolean DEFAULT 0,
  `blocked` boolean DEFAULT 0,
  `token_generation` int NOT NULL DEFAULT 0,
  `kept_session` longtext,
  `role_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users__username_unique` (`username`),
  UNIQUE KEY `users__email_unique` (`email`),
  UNIQUE KEY `users__reset_password_token_unique` (`reset_password_token`),
  UNIQUE KEY `users__confirmation_token_unique` (`confirmation_token`),
  KEY `users__role_id_index` (`role_id`),
  CONSTRAINT `users__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- vault
CREATE TABLE `vaults` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext NOT NULL,
  `secret` longtext,
  `owner_id` bigint,
  `vault_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  KEY `articles__owner_id_index` (`owner_id`),
  KEY `articles__vault_id_index` (`vault_id`),
  CONSTRAINT `articles__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles__vault_id_fk` FOREIGN KEY (`vault_id`) REFERENCES `vaults` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- door
CREATE TABLE `doors` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `code` varchar(255),
  `keys` longtext,
  `ring` longtext,
  `parts` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- home
CREATE TABLE `homes` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `homes__singleton_unique` (`singleton`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- roles, what they may do
CREATE TABLE `user_role_permissions` (
  `role_id` bigint NOT NULL,
  `action` varchar(255) NOT NULL,
  PRIMARY KEY (`role_id`, `action`),
  CONSTRAINT `user_role_permissions__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- API tokens
CREATE TABLE `api_tokens` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  `kind` varchar(255) NOT NULL,
  `hash` varchar(255) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `expires_at` datetime(3),
  `last_used_at` datetime(3),
  `user_id` bigint,
  PRIMARY KEY (`id`),
  UNIQUE KEY `api_tokens__name_unique` (`name`),
  UNIQUE KEY `api_tokens__hash_unique` (`hash`),
  KEY `api_tokens__user_id_index` (`user_id`),
  CONSTRAINT `api_tokens__user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- API tokens, what they may do
CREATE TABLE `api_token_permissions` (
  `token_id` bigint NOT NULL,
  `action` varchar(255) NOT NULL,
  PRIMARY KEY (`token_id`, `action`),
  CONSTRAINT `api_token_permissions__token_id_fk` FOREIGN KEY (`token_id`) REFERENCES `api_tokens` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- changes of roles and permissions
CREATE TABLE `access_changes` (
  `name` varchar(255) NOT NULL,
  `version` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- rate limits
CREATE TABLE `rate_limits` (
  `name` varchar(255) NOT NULL,
  `tries` int NOT NULL,
  `expires_at` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- requests with an Idempotency-Key
CREATE TABLE `idempotency_keys` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `request_key` varchar(255) NOT NULL,
  `payload` varchar(255) NOT NULL,
  `since` bigint NOT NULL,
  `status` int,
  `etag` varchar(255),
  `body` longtext,
  PRIMARY KEY (`id`),
  UNIQUE KEY `idempotency_keys__request_key_unique` (`request_key`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- components, their ids
CREATE TABLE `component_ids` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
