-- 0001_create_author_badge_piece_desk_tag_home_page_2b75c538: applied on MySQL and MariaDB

-- author
CREATE TABLE `authors` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `authors__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `authors_published` (
  `id` bigint NOT NULL,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `authors_published__document_id_unique` (`document_id`),
  CONSTRAINT `authors_published__id_fk` FOREIGN KEY (`id`) REFERENCES `authors` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- badge
CREATE TABLE `badges` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `badges__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `badges_published` (
  `id` bigint NOT NULL,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `badges_published__document_id_unique` (`document_id`),
  CONSTRAINT `badges_published__id_fk` FOREIGN KEY (`id`) REFERENCES `badges` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece
CREATE TABLE `pieces` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `code` varchar(255),
  `slug` varchar(255),
  `size` int,
  `seo` longtext,
  `slides` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `desk_id` bigint,
  `desk_position` bigint,
  `badge_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pieces__document_id_unique` (`document_id`),
  KEY `pieces__code_index` (`code`),
  KEY `pieces__slug_index` (`slug`),
  KEY `pieces__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  KEY `pieces__desk_id__desk_position__id_index` (`desk_id`, `desk_position`, `id`),
  UNIQUE KEY `pieces__badge_id_unique` (`badge_id`),
  KEY `pieces__size_sort` (`size`, `id`),
  KEY `pieces__size_sort_turned` (`size` DESC, `id`),
  CONSTRAINT `pieces__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL,
  CONSTRAINT `pieces__badge_id_fk` FOREIGN KEY (`badge_id`) REFERENCES `badges` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
ALTER TABLE `pieces`
  ADD COLUMN `pieces__title_search` longtext GENERATED ALWAYS AS (
      LOWER(REPLACE(REPLACE(CONCAT_WS(' ', `title`), '''', ' '), '_', ' '))
    ) STORED INVISIBLE;
SET SESSION innodb_ft_enable_stopword = 0;
CREATE FULLTEXT INDEX `pieces__title_search`
  ON `pieces` (`pieces__title_search`);
SET SESSION innodb_ft_enable_stopword = DEFAULT;

-- desk
CREATE TABLE `desks` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `lead_id` bigint,
  `lead_position` bigint,
  `published_lead_id` bigint,
  `published_lead_position` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `desks__document_id_unique` (`document_id`),
  KEY `desks__lead_id__lead_position__id_index` (`lead_id`, `lead_position`, `id`),
  KEY `desks__published_lead_id__published_lead_position__id_index` (`published_lead_id`, `published_lead_position`, `id`),
  CONSTRAINT `desks__lead_id_fk` FOREIGN KEY (`lead_id`) REFERENCES `pieces` (`id`) ON DELETE SET NULL,
  CONSTRAINT `desks__published_lead_id_fk` FOREIGN KEY (`published_lead_id`) REFERENCES `pieces` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- tag
CREATE TABLE `tags` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `tags__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- desk.tags
CREATE TABLE `desks_tags_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `desks_tags_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `desks_tags_links__target_id__inverse_position__owner_id_index` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `desks_tags_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `desks_tags_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `desks_tags_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `desks_tags_links_published__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `desks_tags_links_published__target_id__inverse_positio_66600baa` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `desks_tags_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `desks_tags_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- home
CREATE TABLE `homes` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `homes__document_id_unique` (`document_id`),
  UNIQUE KEY `homes__singleton_unique` (`singleton`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `homes_published` (
  `id` bigint NOT NULL,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `homes_published__document_id_unique` (`document_id`),
  UNIQUE KEY `homes_published__singleton_unique` (`singleton`),
  CONSTRAINT `homes_published__id_fk` FOREIGN KEY (`id`) REFERENCES `homes` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- page
CREATE TABLE `pages` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `sku` varchar(255),
  `_sku_claim` varchar(255),
  `size` int,
  `seo` longtext,
  `author_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pages__document_id__locale_unique` (`document_id`, `locale`),
  KEY `pages__sku_index` (`sku`),
  KEY `pages__author_id_index` (`author_id`),
  CONSTRAINT `pages__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- page.tags
CREATE TABLE `pages_tags_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `pages_tags_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `pages_tags_links__target_id_index` (`target_id`),
  CONSTRAINT `pages_tags_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pages` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pages_tags_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- page
CREATE TABLE `pages_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `pages_component_links__owner_id__item_id__attribute__p_7dbd2a03` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `pages_component_links__tag_id_index` (`tag_id`),
  CONSTRAINT `pages_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pages` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pages_component_links__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `pages_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `sku` varchar(255),
  `_sku_claim` varchar(255),
  `size` int,
  `seo` longtext,
  `author_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pages_published__document_id__locale_unique` (`document_id`, `locale`),
  UNIQUE KEY `pages_published__sku__locale_unique` (`sku`, `locale`),
  UNIQUE KEY `pages_published___sku_claim_unique` (`_sku_claim`),
  KEY `pages_published__author_id_index` (`author_id`),
  CONSTRAINT `pages_published__id_fk` FOREIGN KEY (`id`) REFERENCES `pages` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pages_published__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- page.tags
CREATE TABLE `pages_tags_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `pages_tags_links_published__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `pages_tags_links_published__target_id_index` (`target_id`),
  CONSTRAINT `pages_tags_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pages` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pages_tags_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- page
CREATE TABLE `pages_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `pages_component_links_published__owner_id__item_id__at_d29eee98` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `pages_component_links_published__tag_id_index` (`tag_id`),
  CONSTRAINT `pages_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pages` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pages_component_links_published__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece.tags
CREATE TABLE `pieces_tags_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `pieces_tags_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `pieces_tags_links__target_id__inverse_position__owner_id_index` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `pieces_tags_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_tags_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece.see
CREATE TABLE `pieces_see_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `pieces_see_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `pieces_see_links__target_id_index` (`target_id`),
  CONSTRAINT `pieces_see_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_see_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece.about
CREATE TABLE `pieces_about_morphs` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `tag_id` bigint,
  `desk_id` bigint,
  PRIMARY KEY (`id`),
  KEY `pieces_about_morphs__owner_id__position_index` (`owner_id`, `position`),
  UNIQUE KEY `pieces_about_morphs__owner_id__tag_id_unique` (`owner_id`, `tag_id`),
  UNIQUE KEY `pieces_about_morphs__owner_id__desk_id_unique` (`owner_id`, `desk_id`),
  KEY `pieces_about_morphs__tag_id_index` (`tag_id`),
  KEY `pieces_about_morphs__desk_id_index` (`desk_id`),
  CONSTRAINT `pieces_about_morphs__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_about_morphs__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_about_morphs__desk_id_fk` FOREIGN KEY (`desk_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece
CREATE TABLE `pieces_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `desk_id` bigint,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `pieces_component_links__owner_id__item_id__attribute___9b9760b6` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `pieces_component_links__desk_id_index` (`desk_id`),
  KEY `pieces_component_links__tag_id_index` (`tag_id`),
  CONSTRAINT `pieces_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_component_links__desk_id_fk` FOREIGN KEY (`desk_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_component_links__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `pieces_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `code` varchar(255),
  `slug` varchar(255),
  `size` int,
  `seo` longtext,
  `slides` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `desk_id` bigint,
  `desk_position` bigint,
  `badge_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pieces_published__document_id_unique` (`document_id`),
  UNIQUE KEY `pieces_published__code_unique` (`code`),
  UNIQUE KEY `pieces_published__slug_unique` (`slug`),
  KEY `pieces_published__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  KEY `pieces_published__desk_id__desk_position__id_index` (`desk_id`, `desk_position`, `id`),
  UNIQUE KEY `pieces_published__badge_id_unique` (`badge_id`),
  KEY `pieces_published__size_sort` (`size`, `id`),
  KEY `pieces_published__size_sort_turned` (`size` DESC, `id`),
  CONSTRAINT `pieces_published__id_fk` FOREIGN KEY (`id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_published__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL,
  CONSTRAINT `pieces_published__desk_id_fk` FOREIGN KEY (`desk_id`) REFERENCES `desks` (`id`) ON DELETE SET NULL,
  CONSTRAINT `pieces_published__badge_id_fk` FOREIGN KEY (`badge_id`) REFERENCES `badges` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
ALTER TABLE `pieces_published`
  ADD COLUMN `pieces_published__title_search` longtext GENERATED ALWAYS AS (
      LOWER(REPLACE(REPLACE(CONCAT_WS(' ', `title`), '''', ' '), '_', ' '))
    ) STORED INVISIBLE;
SET SESSION innodb_ft_enable_stopword = 0;
CREATE FULLTEXT INDEX `pieces_published__title_search`
  ON `pieces_published` (`pieces_published__title_search`);
SET SESSION innodb_ft_enable_stopword = DEFAULT;

-- piece.tags
CREATE TABLE `pieces_tags_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `pieces_tags_links_published__owner_id__position__targe_a812bbe1` (`owner_id`, `position`, `target_id`),
  KEY `pieces_tags_links_published__target_id__inverse_positi_497e80e2` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `pieces_tags_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_tags_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece.see
CREATE TABLE `pieces_see_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `pieces_see_links_published__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `pieces_see_links_published__target_id_index` (`target_id`),
  CONSTRAINT `pieces_see_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_see_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece.about
CREATE TABLE `pieces_about_morphs_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `tag_id` bigint,
  `desk_id` bigint,
  PRIMARY KEY (`id`),
  KEY `pieces_about_morphs_published__owner_id__position_index` (`owner_id`, `position`),
  UNIQUE KEY `pieces_about_morphs_published__owner_id__tag_id_unique` (`owner_id`, `tag_id`),
  UNIQUE KEY `pieces_about_morphs_published__owner_id__desk_id_unique` (`owner_id`, `desk_id`),
  KEY `pieces_about_morphs_published__tag_id_index` (`tag_id`),
  KEY `pieces_about_morphs_published__desk_id_index` (`desk_id`),
  CONSTRAINT `pieces_about_morphs_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_about_morphs_published__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_about_morphs_published__desk_id_fk` FOREIGN KEY (`desk_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- piece
CREATE TABLE `pieces_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `desk_id` bigint,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `pieces_component_links_published__owner_id__item_id__a_a7b2a035` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `pieces_component_links_published__desk_id_index` (`desk_id`),
  KEY `pieces_component_links_published__tag_id_index` (`tag_id`),
  CONSTRAINT `pieces_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `pieces` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_component_links_published__desk_id_fk` FOREIGN KEY (`desk_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `pieces_component_links_published__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- tag
CREATE TABLE `tags_published` (
  `id` bigint NOT NULL,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `tags_published__document_id_unique` (`document_id`),
  CONSTRAINT `tags_published__id_fk` FOREIGN KEY (`id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
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

-- piece
ALTER TABLE `pieces`
  ADD CONSTRAINT `pieces__desk_id_fk` FOREIGN KEY (`desk_id`) REFERENCES `desks` (`id`) ON DELETE SET NULL;
