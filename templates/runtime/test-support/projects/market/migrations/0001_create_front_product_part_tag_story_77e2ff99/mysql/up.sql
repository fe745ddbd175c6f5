-- 0001_create_front_product_part_tag_story_77e2ff99: applied on MySQL and MariaDB

-- front
CREATE TABLE `fronts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `fronts__document_id_unique` (`document_id`),
  UNIQUE KEY `fronts__singleton_unique` (`singleton`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

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
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users__document_id_unique` (`document_id`),
  UNIQUE KEY `users__username_unique` (`username`),
  UNIQUE KEY `users__email_unique` (`email`),
  UNIQUE KEY `users__reset_password_token_unique` (`reset_password_token`),
  UNIQUE KEY `users__confirmation_token_unique` (`confirmation_token`),
  KEY `users__role_id_index` (`role_id`),
  CONSTRAINT `users__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- file
CREATE TABLE `files` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext NOT NULL,
  `alternative_text` longtext,
  `caption` longtext,
  `width` int,
  `height` int,
  `formats` longtext,
  `hash` longtext NOT NULL,
  `ext` longtext,
  `mime` longtext NOT NULL,
  `size` decimal(65,30) NOT NULL,
  `url` longtext NOT NULL,
  `preview_url` longtext,
  `provider` longtext NOT NULL,
  `provider_metadata` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `files__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- product
CREATE TABLE `products` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext NOT NULL,
  `slug` varchar(255) NOT NULL,
  `price` decimal(65,30),
  `cost` decimal(65,30),
  `seller_id` bigint,
  `photo_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `products__document_id_unique` (`document_id`),
  UNIQUE KEY `products__slug_unique` (`slug`),
  KEY `products__seller_id_index` (`seller_id`),
  KEY `products__photo_id_index` (`photo_id`),
  CONSTRAINT `products__seller_id_fk` FOREIGN KEY (`seller_id`) REFERENCES `users` (`id`) ON DELETE SET NULL,
  CONSTRAINT `products__photo_id_fk` FOREIGN KEY (`photo_id`) REFERENCES `files` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- part
CREATE TABLE `parts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `code` longtext,
  `product_id` bigint,
  `product_position` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `parts__document_id_unique` (`document_id`),
  KEY `parts__product_id__product_position__id_index` (`product_id`, `product_position`, `id`),
  CONSTRAINT `parts__product_id_fk` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- tag
CREATE TABLE `tags` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255),
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `tags__document_id_unique` (`document_id`),
  UNIQUE KEY `tags__name_unique` (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- product.tags
CREATE TABLE `products_tags_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `products_tags_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `products_tags_links__target_id__inverse_position__owne_6a6c5c87` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `products_tags_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `products` (`id`) ON DELETE CASCADE,
  CONSTRAINT `products_tags_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story
CREATE TABLE `stories` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `stories__document_id__locale_unique` (`document_id`, `locale`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `stories_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `stories_published__document_id__locale_unique` (`document_id`, `locale`),
  CONSTRAINT `stories_published__id_fk` FOREIGN KEY (`id`) REFERENCES `stories` (`id`) ON DELETE CASCADE
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

-- stored files without an entry
CREATE TABLE `pending_files` (
  `name` varchar(255) NOT NULL,
  `provider` varchar(255) NOT NULL,
  `removing` int NOT NULL,
  `since` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
