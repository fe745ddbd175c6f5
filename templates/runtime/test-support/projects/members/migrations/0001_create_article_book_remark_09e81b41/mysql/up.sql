-- 0001_create_article_book_remark_09e81b41: applied on MySQL and MariaDB

-- article
CREATE TABLE `articles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `articles__document_id__locale_unique` (`document_id`, `locale`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `articles_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `articles_published__document_id__locale_unique` (`document_id`, `locale`),
  CONSTRAINT `articles_published__id_fk` FOREIGN KEY (`id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- book
CREATE TABLE `books` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark
CREATE TABLE `remarks` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark.subject
CREATE TABLE `remarks_subject_morphs` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `book_id` bigint,
  PRIMARY KEY (`id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id_unique` (`owner_id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id__article_id_unique` (`owner_id`, `article_id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id__book_id_unique` (`owner_id`, `book_id`),
  KEY `remarks_subject_morphs__article_id_index` (`article_id`),
  KEY `remarks_subject_morphs__book_id_index` (`book_id`),
  CONSTRAINT `remarks_subject_morphs__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `remarks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs__book_id_fk` FOREIGN KEY (`book_id`) REFERENCES `books` (`id`) ON DELETE CASCADE
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
  `nickname` longtext,
  `code` varchar(255),
  `karma` int DEFAULT 7,
  `level` int DEFAULT 1,
  `checked` boolean,
  `extra` longtext,
  `friend_id` bigint,
  `friend_position` bigint,
  `address` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users__username_unique` (`username`),
  UNIQUE KEY `users__email_unique` (`email`),
  UNIQUE KEY `users__reset_password_token_unique` (`reset_password_token`),
  UNIQUE KEY `users__confirmation_token_unique` (`confirmation_token`),
  KEY `users__role_id_index` (`role_id`),
  UNIQUE KEY `users__code_unique` (`code`),
  KEY `users__friend_id__friend_position__id_index` (`friend_id`, `friend_position`, `id`),
  CONSTRAINT `users__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE SET NULL,
  CONSTRAINT `users__friend_id_fk` FOREIGN KEY (`friend_id`) REFERENCES `users` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark.about
CREATE TABLE `remarks_about_morphs` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `book_id` bigint,
  `user_id` bigint,
  PRIMARY KEY (`id`),
  KEY `remarks_about_morphs__owner_id__position_index` (`owner_id`, `position`),
  UNIQUE KEY `remarks_about_morphs__owner_id__article_id_unique` (`owner_id`, `article_id`),
  UNIQUE KEY `remarks_about_morphs__owner_id__book_id_unique` (`owner_id`, `book_id`),
  UNIQUE KEY `remarks_about_morphs__owner_id__user_id_unique` (`owner_id`, `user_id`),
  KEY `remarks_about_morphs__article_id_index` (`article_id`),
  KEY `remarks_about_morphs__book_id_index` (`book_id`),
  KEY `remarks_about_morphs__user_id_index` (`user_id`),
  CONSTRAINT `remarks_about_morphs__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `remarks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_about_morphs__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_about_morphs__book_id_fk` FOREIGN KEY (`book_id`) REFERENCES `books` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_about_morphs__user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark
CREATE TABLE `remarks_published` (
  `id` bigint NOT NULL,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  PRIMARY KEY (`id`),
  CONSTRAINT `remarks_published__id_fk` FOREIGN KEY (`id`) REFERENCES `remarks` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark.subject
CREATE TABLE `remarks_subject_morphs_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `book_id` bigint,
  PRIMARY KEY (`id`),
  UNIQUE KEY `remarks_subject_morphs_published__owner_id_unique` (`owner_id`),
  UNIQUE KEY `remarks_subject_morphs_published__owner_id__article_id_unique` (`owner_id`, `article_id`),
  UNIQUE KEY `remarks_subject_morphs_published__owner_id__book_id_unique` (`owner_id`, `book_id`),
  KEY `remarks_subject_morphs_published__article_id_index` (`article_id`),
  KEY `remarks_subject_morphs_published__book_id_index` (`book_id`),
  CONSTRAINT `remarks_subject_morphs_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `remarks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs_published__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs_published__book_id_fk` FOREIGN KEY (`book_id`) REFERENCES `books` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark.about
CREATE TABLE `remarks_about_morphs_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `book_id` bigint,
  `user_id` bigint,
  PRIMARY KEY (`id`),
  KEY `remarks_about_morphs_published__owner_id__position_index` (`owner_id`, `position`),
  UNIQUE KEY `remarks_about_morphs_published__owner_id__article_id_unique` (`owner_id`, `article_id`),
  UNIQUE KEY `remarks_about_morphs_published__owner_id__book_id_unique` (`owner_id`, `book_id`),
  UNIQUE KEY `remarks_about_morphs_published__owner_id__user_id_unique` (`owner_id`, `user_id`),
  KEY `remarks_about_morphs_published__article_id_index` (`article_id`),
  KEY `remarks_about_morphs_published__book_id_index` (`book_id`),
  KEY `remarks_about_morphs_published__user_id_index` (`user_id`),
  CONSTRAINT `remarks_about_morphs_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `remarks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_about_morphs_published__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_about_morphs_published__book_id_fk` FOREIGN KEY (`book_id`) REFERENCES `books` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_about_morphs_published__user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- user.shelf
CREATE TABLE `users_shelf_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `users_shelf_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `users_shelf_links__target_id__inverse_position__owner_id_index` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `users_shelf_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE,
  CONSTRAINT `users_shelf_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `users_shelf_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `users_shelf_links_published__owner_id__position__targe_46f00dab` (`owner_id`, `position`, `target_id`),
  KEY `users_shelf_links_published__target_id__inverse_positi_af674214` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `users_shelf_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `users` (`id`) ON DELETE CASCADE,
  CONSTRAINT `users_shelf_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
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
