/** A schema that goes through every kind of change, step by step. */
import type { Content, Entry } from './evolving-data.ts';

type Schema = any;

export interface EvolutionStep {
  readonly name: string;
  /** Changes the schema of the previous step, without the `renamedFrom` of earlier steps. */
  readonly schema: (schema: Schema) => void;
  /** Data whose deletion must be allowed explicitly. */
  readonly loses?: readonly string[];
  /** How the content changes, apart from added and removed attributes. */
  readonly content?: (content: Content) => void;
}

/** The initial schema. */
export const FIRST_SCHEMA: Schema = {
  name: 'evolution',
  databases: ['sqlite', 'postgres', 'mysql'],
  locales: ['en', 'fr'],
  contentTypes: {
    article: {
      search: ['title^3', 'body'],
      indexes: [
        ['status', '-price'],
        ['-since', 'day'],
        ['detail', '-createdAt'],
      ],
      attributes: {
        title: { type: 'string', required: true, index: true },
        slug: { type: 'uid', targetField: 'title' },
        body: { type: 'richtext' },
        teaser: { type: 'text' },
        first: { type: 'string' },
        second: { type: 'string' },
        rank: { type: 'integer', index: true },
        price: { type: 'decimal' },
        ratio: { type: 'float' },
        day: { type: 'date' },
        at: { type: 'time' },
        since: { type: 'datetime' },
        active: { type: 'boolean' },
        status: { type: 'enumeration', enum: ['idea', 'ready'] },
        extra: { type: 'json' },
        author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'articles' },
        editor: { type: 'relation', relation: 'manyToOne', target: 'author' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'tag', inversedBy: 'articles' },
        related: { type: 'relation', relation: 'manyWay', target: 'article' },
        detail: { type: 'relation', relation: 'oneToOne', target: 'detail', inversedBy: 'article' },
        subject: { type: 'relation', relation: 'morphToOne', targets: ['author', 'tag'] },
        mentions: { type: 'relation', relation: 'morphToMany', targets: ['article', 'author', 'tag'] },
        cover: { type: 'media' },
        gallery: { type: 'media', multiple: true },
        seo: { type: 'component', component: 'shared.seo' },
        quotes: { type: 'component', component: 'shared.quote', repeatable: true },
        blocks: { type: 'dynamiczone', components: ['shared.quote', 'shared.gallery', 'shared.seo'] },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'oneToMany', target: 'article', mappedBy: 'author' },
        bio: { type: 'component', component: 'shared.seo' },
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        code: { type: 'string', unique: true, required: true },
        articles: { type: 'relation', relation: 'manyToMany', target: 'article', mappedBy: 'tags' },
      },
    },
    detail: {
      attributes: {
        note: { type: 'string' },
        article: { type: 'relation', relation: 'oneToOne', target: 'article', mappedBy: 'detail' },
      },
    },
    homepage: { kind: 'singleType', localized: true, attributes: { headline: { type: 'string', localized: true } } },
  },
  components: {
    'shared.seo': {
      attributes: {
        title: { type: 'string' },
        image: { type: 'media' },
        links: { type: 'component', component: 'shared.link', repeatable: true },
      },
    },
    'shared.quote': {
      attributes: {
        text: { type: 'text' },
        count: { type: 'integer' },
        extra: { type: 'json' },
        author: { type: 'relation', relation: 'oneWay', target: 'author' },
        link: { type: 'component', component: 'shared.link' },
      },
    },
    'shared.link': {
      attributes: {
        url: { type: 'string' },
        label: { type: 'string' },
        target: { type: 'relation', relation: 'oneWay', target: 'article' },
        images: { type: 'media', multiple: true },
      },
    },
    'shared.gallery': { attributes: { images: { type: 'media', multiple: true }, size: { type: 'integer' } } },
  },
};

/** Renames a key in place, with `renamedFrom`. */
function rename(owner: Schema, from: string, to: string): void {
  const entries = Object.entries(owner).map(([key, value]) =>
    key === from ? [to, { ...(value as object), renamedFrom: from }] : [key, value],
  );
  for (const key of Object.keys(owner)) delete owner[key];
  Object.assign(owner, Object.fromEntries(entries));
}

function renameAll(owner: Schema, names: Readonly<Record<string, string>>): void {
  const entries = Object.entries(owner).map(([key, value]) => {
    const to = names[key];
    return to === undefined ? [key, value] : [to, { ...(value as object), renamedFrom: key }];
  });
  for (const key of Object.keys(owner)) delete owner[key];
  Object.assign(owner, Object.fromEntries(entries));
}

/** Removes each `renamedFrom`, as a team does once the rename was carried out. */
export function withoutFormerNames(schema: Schema): void {
  for (const owner of [...Object.values<any>(schema.contentTypes), ...Object.values<any>(schema.components)]) {
    delete owner.renamedFrom;
    for (const attribute of Object.values<any>(owner.attributes)) delete attribute.renamedFrom;
  }
}

const attributes = (schema: Schema, type: string): Schema => schema.contentTypes[type].attributes;
const members = (schema: Schema, uid: string): Schema => schema.components[uid].attributes;

export function eachEntry(content: Content, type: string, change: (entry: Entry) => void): void {
  for (const entry of Object.values(content[type] ?? {})) change(entry);
}

export function move(entry: Entry, names: Readonly<Record<string, string>>): void {
  const values = Object.fromEntries(Object.keys(names).map((name) => [name, entry[name]]));
  for (const name of Object.keys(names)) delete entry[name];
  for (const [from, to] of Object.entries(names)) if (values[from] !== undefined) entry[to] = values[from];
}

/** All objects in the content, at any depth. */
export function eachObject(value: any, change: (object: any) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) change(value);
  for (const inner of Object.values(value)) eachObject(inner, change);
}

/** Renames a type in lists of links. */
function renameTarget(content: Content, names: Readonly<Record<string, string>>): void {
  const visit = (value: any): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value) && value.length === 2 && typeof value[1] === 'number' && names[value[0]] !== undefined) {
      value[0] = names[value[0]];
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(content);
}

export function renameTypes(content: Content, names: Readonly<Record<string, string>>): void {
  move(content as Entry, names);
  renameTarget(content, names);
  // The rows of a localized single type have its name as their document id.
  for (const [from, to] of Object.entries(names)) {
    eachEntry(content, to, (entry) => {
      if (entry['#document'] === from) entry['#document'] = to;
    });
  }
  const actions = Object.keys(names).map((uid) => [`${uid}.find`, `${names[uid]}.find`]);
  move(content['#actions'] as Entry, Object.fromEntries(actions));
}

const first = (list: any): unknown => (Array.isArray(list) ? list.slice(0, 1) : list);

/** All items of a component, recognized by a member that only they have. */
function eachItem(content: Content, member: string, change: (item: any) => void): void {
  eachObject(content, (object) => {
    if (object.id !== undefined && member in object) change(object);
  });
}

export const EVOLUTION: readonly EvolutionStep[] = [
  { name: 'begins', schema: () => {} },
  {
    name: 'renames an attribute',
    schema: (s) => {
      rename(attributes(s, 'article'), 'title', 'headline');
      s.contentTypes.article.search = ['headline^3', 'body'];
      attributes(s, 'article').slug.targetField = 'headline';
    },
    content: (c) => eachEntry(c, 'article', (e) => move(e, { title: 'headline' })),
  },
  {
    name: 'exchanges two attributes',
    schema: (s) => renameAll(attributes(s, 'article'), { body: 'teaser', teaser: 'body' }),
    content: (c) => eachEntry(c, 'article', (e) => move(e, { body: 'teaser', teaser: 'body' })),
  },
  {
    name: 'renames attributes in a chain',
    schema: (s) => renameAll(attributes(s, 'article'), { first: 'second', second: 'third' }),
    content: (c) => eachEntry(c, 'article', (e) => move(e, { first: 'second', second: 'third' })),
  },
  {
    name: 'renames an attribute so that its column stays',
    schema: (s) => rename(attributes(s, 'article'), 'third', 'Third'),
    content: (c) => eachEntry(c, 'article', (e) => move(e, { third: 'Third' })),
  },
  {
    name: 'renames a relation to one, and its other side',
    schema: (s) => {
      rename(attributes(s, 'article'), 'author', 'writer');
      rename(attributes(s, 'author'), 'articles', 'stories');
      attributes(s, 'article').writer.inversedBy = 'stories';
      attributes(s, 'author').stories.mappedBy = 'writer';
    },
    content: (c) => {
      eachEntry(c, 'article', (e) => move(e, { author: 'writer' }));
      eachEntry(c, 'author', (e) => move(e, { articles: 'stories' }));
    },
  },
  {
    name: 'renames a relation to many',
    schema: (s) => {
      rename(attributes(s, 'article'), 'tags', 'labels');
      attributes(s, 'tag').articles.mappedBy = 'labels';
    },
    content: (c) => eachEntry(c, 'article', (e) => move(e, { tags: 'labels' })),
  },
  {
    name: 'renames media and polymorphic relations',
    schema: (s) =>
      renameAll(attributes(s, 'article'), { cover: 'photo', gallery: 'photos', subject: 'about', mentions: 'names' }),
    content: (c) =>
      eachEntry(c, 'article', (e) =>
        move(e, { cover: 'photo', gallery: 'photos', subject: 'about', mentions: 'names' }),
      ),
  },
  {
    name: 'renames a type',
    schema: (s) => {
      rename(s.contentTypes, 'article', 'story');
      for (const [type, name] of [
        ['author', 'stories'],
        ['tag', 'articles'],
        ['detail', 'article'],
      ] as const) {
        attributes(s, type)[name].target = 'story';
      }
      attributes(s, 'story').related.target = 'story';
      attributes(s, 'story').names.targets = ['story', 'author', 'tag'];
      members(s, 'shared.link').target.target = 'story';
    },
    content: (c) => renameTypes(c, { article: 'story' }),
  },
  {
    name: 'exchanges two types',
    schema: (s) => {
      renameAll(s.contentTypes, { author: 'detail', detail: 'author' });
      Object.assign(attributes(s, 'story').writer, { target: 'detail' });
      Object.assign(attributes(s, 'story').editor, { target: 'detail' });
      Object.assign(attributes(s, 'story').detail, { target: 'author' });
      attributes(s, 'story').about.targets = ['detail', 'tag'];
      attributes(s, 'story').names.targets = ['story', 'detail', 'tag'];
      members(s, 'shared.quote').author.target = 'detail';
    },
    content: (c) => renameTypes(c, { author: 'detail', detail: 'author' }),
  },
  {
    name: 'exchanges them back by a third name, and gives one a table name',
    schema: (s) => {
      renameAll(s.contentTypes, { author: 'fact', detail: 'author' });
      s.contentTypes.fact.tableName = 'known_facts';
      Object.assign(attributes(s, 'story').writer, { target: 'author' });
      Object.assign(attributes(s, 'story').editor, { target: 'author' });
      Object.assign(attributes(s, 'story').detail, { target: 'fact' });
      attributes(s, 'story').about.targets = ['author', 'tag'];
      attributes(s, 'story').names.targets = ['story', 'author', 'tag'];
      members(s, 'shared.quote').author.target = 'author';
    },
    content: (c) => renameTypes(c, { author: 'fact', detail: 'author' }),
  },
  {
    name: 'renames a localized single type',
    schema: (s) => rename(s.contentTypes, 'homepage', 'front'),
    content: (c) => renameTypes(c, { homepage: 'front' }),
  },
  {
    name: 'renames a component',
    schema: (s) => {
      rename(s.components, 'shared.quote', 'blocks.citation');
      attributes(s, 'story').quotes.component = 'blocks.citation';
      attributes(s, 'story').blocks.components = ['blocks.citation', 'shared.gallery', 'shared.seo'];
    },
    content: (c) =>
      eachObject(c, (object) => {
        if (object.__component === 'shared.quote') object.__component = 'blocks.citation';
      }),
  },
  {
    name: 'renames attributes of components, at every depth',
    schema: (s) => {
      renameAll(members(s, 'blocks.citation'), { text: 'body', author: 'source', link: 'origin' });
      renameAll(members(s, 'shared.link'), { url: 'label', label: 'url', images: 'pictures' });
    },
    content: (c) => {
      eachItem(c, 'count', (item) => move(item, { text: 'body', author: 'source', link: 'origin' }));
      eachItem(c, 'url', (item) => move(item, { url: 'label', label: 'url', images: 'pictures' }));
    },
  },
  {
    name: 'renames a type, a component and attributes of both at once',
    schema: (s) => {
      rename(s.contentTypes, 'story', 'post');
      rename(attributes(s, 'post'), 'headline', 'title');
      s.contentTypes.post.search = ['title^3', 'body'];
      rename(attributes(s, 'post'), 'labels', 'tags');
      attributes(s, 'post').slug.targetField = 'title';
      attributes(s, 'post').related.target = 'post';
      attributes(s, 'post').names.targets = ['post', 'author', 'tag'];
      attributes(s, 'author').stories.target = 'post';
      Object.assign(attributes(s, 'tag').articles, { target: 'post', mappedBy: 'tags' });
      attributes(s, 'fact').article.target = 'post';
      rename(s.components, 'shared.link', 'shared.anchor');
      rename(members(s, 'shared.anchor'), 'pictures', 'images');
      members(s, 'shared.anchor').target.target = 'post';
      members(s, 'shared.seo').links.component = 'shared.anchor';
      members(s, 'blocks.citation').origin.component = 'shared.anchor';
    },
    content: (c) => {
      renameTypes(c, { story: 'post' });
      eachEntry(c, 'post', (e) => move(e, { headline: 'title', labels: 'tags' }));
      eachItem(c, 'url', (item) => move(item, { pictures: 'images' }));
    },
  },
  {
    name: 'requires what was optional, with a default',
    schema: (s) => {
      Object.assign(attributes(s, 'post').rank, { required: true, default: -7 });
      Object.assign(attributes(s, 'post').body, { required: true, default: "it's \\ empty" });
      Object.assign(attributes(s, 'post').day, { required: true, default: '2001-02-03' });
    },
    content: (c) =>
      eachEntry(c, 'post', (e) => {
        e['rank'] ??= -7;
        e['body'] ??= "it's \\ empty";
        e['day'] ??= '2001-02-03';
      }),
  },
  {
    name: 'E08: changes defaults, of what is required and of what is not',
    schema: (s) => {
      attributes(s, 'post').rank.default = 8;
      delete attributes(s, 'post').body.default;
      attributes(s, 'post').teaser.default = "it's new";
      attributes(s, 'post').active.default = true;
      attributes(s, 'post').extra.default = { a: ["it's"] };
      attributes(s, 'post').price.default = 1.5;
      attributes(s, 'post').at.default = '12:30:00';
      attributes(s, 'post').since.default = '2024-01-02T03:04:05Z';
    },
  },
  {
    name: 'changes them again',
    schema: (s) => {
      for (const name of ['teaser', 'active', 'extra', 'price', 'at']) delete attributes(s, 'post')[name].default;
      attributes(s, 'post').since.default = '2025-01-02T03:04:05Z';
      attributes(s, 'post').ratio.default = 0.25;
    },
  },
  {
    name: 'no longer requires',
    schema: (s) => {
      for (const name of ['rank', 'body', 'day', 'title']) delete attributes(s, 'post')[name].required;
    },
  },
  {
    name: 'requires what all entries have, without a default',
    schema: (s) => (attributes(s, 'post').title.required = true),
    loses: ['post.title'],
  },
  {
    name: 'makes an attribute unique',
    schema: (s) => (attributes(s, 'post').teaser.unique = true),
    loses: ['post.teaser'],
  },
  {
    name: 'changes indexes',
    schema: (s) => {
      s.contentTypes.post.search = ['title', 'teaser^2'];
      s.contentTypes.post.indexes = [
        ['-status', 'price'],
        ['-since', 'day'],
        ['-updatedAt', 'writer'],
      ];
      attributes(s, 'post').price.index = true;
    },
  },
  { name: 'no longer makes it unique', schema: (s) => delete attributes(s, 'post').teaser.unique },
  {
    name: 'widens numbers and times',
    schema: (s) => {
      const a = attributes(s, 'post');
      a.rank = { type: 'biginteger' };
      a.active = { type: 'integer' };
      a.day = { type: 'datetime' };
    },
    content: (c) =>
      eachEntry(c, 'post', (e) => {
        e['rank'] = String(e['rank']);
        e['active'] = e['active'] === null ? null : Number(e['active']);
        e['day'] = `${e['day']}T00:00:00.000Z`;
      }),
  },
  {
    name: 'widens them again, renamed',
    schema: (s) => {
      rename(attributes(s, 'post'), 'rank', 'level');
      attributes(s, 'post').level.type = 'decimal';
      attributes(s, 'post').active = { type: 'float' };
    },
    content: (c) => eachEntry(c, 'post', (e) => move(e, { rank: 'level' })),
  },
  {
    name: 'makes text of everything',
    schema: (s) => {
      s.contentTypes.post.indexes = [['-status', '-updatedAt']];
      delete s.contentTypes.post.search;
      for (const name of ['level', 'price', 'ratio', 'day', 'at', 'since', 'status']) {
        attributes(s, 'post')[name] = { type: 'string' };
      }
    },
    content: (c) =>
      eachEntry(c, 'post', (e) => {
        for (const name of ['level', 'price', 'ratio']) e[name] = e[name] === null ? null : String(e[name]);
      }),
  },
  {
    name: 'gives values another meaning',
    schema: (s) => (attributes(s, 'post').ratio = { type: 'json' }),
    loses: ['post.ratio'],
    content: (c) => eachEntry(c, 'post', (e) => (e['ratio'] = null)),
  },
  {
    name: 'makes a list of a relation to one, on both sides',
    schema: (s) => {
      attributes(s, 'post').writer = {
        type: 'relation',
        relation: 'manyToMany',
        target: 'author',
        inversedBy: 'stories',
      };
      attributes(s, 'author').stories = {
        type: 'relation',
        relation: 'manyToMany',
        target: 'post',
        mappedBy: 'writer',
      };
    },
  },
  {
    name: 'makes a relation to one of a list',
    schema: (s) => {
      attributes(s, 'post').writer = {
        type: 'relation',
        relation: 'manyToOne',
        target: 'author',
        inversedBy: 'stories',
      };
      attributes(s, 'author').stories = { type: 'relation', relation: 'oneToMany', target: 'post', mappedBy: 'writer' };
      attributes(s, 'post').related = { type: 'relation', relation: 'oneWay', target: 'post' };
    },
    loses: ['post.writer', 'post.related'],
    content: (c) => eachEntry(c, 'post', (e) => (e['related'] = first(e['related']))),
  },
  {
    name: 'makes a list of a relation without another side',
    schema: (s) => (attributes(s, 'post').related = { type: 'relation', relation: 'manyWay', target: 'post' }),
  },
  {
    name: 'gives relations another side',
    schema: (s) => {
      attributes(s, 'post').editor.inversedBy = 'edited';
      attributes(s, 'author').edited = { type: 'relation', relation: 'oneToMany', target: 'post', mappedBy: 'editor' };
      attributes(s, 'post').related = {
        type: 'relation',
        relation: 'manyToMany',
        target: 'post',
        inversedBy: 'relatedBy',
      };
      attributes(s, 'post').relatedBy = {
        type: 'relation',
        relation: 'manyToMany',
        target: 'post',
        mappedBy: 'related',
      };
    },
    content: (c) => {
      const posts = Object.entries(c['post'] ?? {});
      eachEntry(c, 'author', (e) => (e['edited'] = []));
      eachEntry(c, 'post', (e) => (e['relatedBy'] = []));
      for (const [id, post] of posts) {
        for (const [, author] of post['editor']) c['author']?.[author]?.['edited'].push(['post', Number(id)]);
        for (const [, other] of post['related']) c['post']?.[other]?.['relatedBy'].push(['post', Number(id)]);
      }
    },
  },
  {
    name: 'moves what stores a relation to its other side',
    schema: (s) => {
      attributes(s, 'post').detail = { type: 'relation', relation: 'oneToOne', target: 'fact', mappedBy: 'article' };
      attributes(s, 'fact').article = { type: 'relation', relation: 'oneToOne', target: 'post', inversedBy: 'detail' };
      attributes(s, 'post').tags = { type: 'relation', relation: 'manyToMany', target: 'tag', mappedBy: 'articles' };
      attributes(s, 'tag').articles = { type: 'relation', relation: 'manyToMany', target: 'post', inversedBy: 'tags' };
    },
  },
  {
    name: 'takes the other sides away',
    schema: (s) => {
      delete attributes(s, 'post').editor.inversedBy;
      delete attributes(s, 'author').edited;
      delete attributes(s, 'post').relatedBy;
      attributes(s, 'post').related = { type: 'relation', relation: 'manyWay', target: 'post' };
    },
    loses: ['author.edited', 'post.relatedBy'],
  },
  {
    name: 'turns drafts and locales on',
    schema: (s) => Object.assign(s.contentTypes.post, { draftAndPublish: true, localized: true }),
    content: (c) => eachEntry(c, 'post', (e) => Object.assign(e, { '#locale': 'en', '#published': true })),
  },
  {
    name: 'renames a type with drafts and locales, and adds a locale',
    schema: (s) => {
      s.locales = ['en', 'fr', 'de'];
      rename(s.contentTypes, 'front', 'homepage');
      s.contentTypes.homepage.draftAndPublish = true;
    },
    content: (c) => {
      renameTypes(c, { front: 'homepage' });
      eachEntry(c, 'homepage', (e) => (e['#published'] = true));
    },
  },
  { name: 'changes the default locale', schema: (s) => (s.locales = ['de', 'en', 'fr']) },
  {
    name: 'takes a locale away',
    schema: (s) => (s.locales = ['en', 'de']),
    loses: ['locales.fr'],
    content: (c) => delete c['homepage']?.['2'],
  },
  {
    name: 'turns drafts and locales off',
    schema: (s) => {
      delete s.contentTypes.post.draftAndPublish;
      delete s.contentTypes.post.localized;
      delete s.contentTypes.homepage.localized;
      delete attributes(s, 'homepage').headline.localized;
    },
    loses: ['post.draftAndPublish', 'post.localized', 'homepage.localized', 'post.title'],
  },
  {
    name: 'converts values inside components',
    schema: (s) => {
      members(s, 'blocks.citation').count.type = 'decimal';
      members(s, 'shared.gallery').size.type = 'float';
    },
    content: (c) => eachItem(c, 'count', (item) => (item.count = String(item.count))),
  },
  {
    name: 'makes a list of a component, and one of a list',
    schema: (s) => {
      attributes(s, 'post').seo.repeatable = true;
      delete attributes(s, 'post').quotes.repeatable;
      members(s, 'blocks.citation').origin.repeatable = true;
      delete members(s, 'shared.seo').links.repeatable;
    },
    loses: ['post.quotes', 'shared.seo.links'],
    content: (c) => {
      eachObject(c, (object) => {
        if (object.id === undefined) return;
        if (object.origin) object.origin = [object.origin];
        if (object.links) object.links = object.links[0];
      });
      eachEntry(c, 'post', (e) => {
        if (e['seo']) e['seo'] = [e['seo']];
        if (e['quotes']) e['quotes'] = e['quotes'][0];
      });
    },
  },
  {
    name: 'takes attributes away from components, and a component from a zone',
    schema: (s) => {
      delete members(s, 'shared.seo').title;
      delete members(s, 'shared.anchor').target;
      delete members(s, 'blocks.citation').origin;
      attributes(s, 'post').blocks.components = ['blocks.citation', 'shared.seo'];
    },
    loses: ['shared.seo.title', 'shared.anchor.target', 'blocks.citation.origin', 'post.blocks'],
    content: (c) => {
      eachEntry(c, 'post', (e) => {
        if (e['blocks']) e['blocks'] = e['blocks'].filter((item: any) => item.__component !== 'shared.gallery');
      });
      eachObject(c, (object) => {
        if (object.id === undefined) return;
        if ('links' in object) delete object.title;
        if ('url' in object) delete object.target;
        delete object.origin;
      });
    },
  },
  {
    name: 'changes the targets of polymorphic relations',
    schema: (s) => {
      attributes(s, 'post').names.targets = ['post', 'tag', 'fact'];
      attributes(s, 'post').about = { type: 'relation', relation: 'morphToMany', targets: ['author', 'tag'] };
    },
    loses: ['post.names'],
    content: (c) =>
      eachEntry(c, 'post', (e) => (e['names'] = e['names'].filter(([type]: [string]) => type !== 'author'))),
  },
  {
    name: 'makes one of a polymorphic list',
    schema: (s) => (attributes(s, 'post').names.relation = 'morphToOne'),
    loses: ['post.names'],
    content: (c) => eachEntry(c, 'post', (e) => (e['names'] = first(e['names']))),
  },
  {
    name: 'makes a list of one file, and one of a list',
    schema: (s) => {
      attributes(s, 'post').photo.multiple = true;
      delete attributes(s, 'post').photos.multiple;
    },
    loses: ['post.photos'],
    content: (c) => eachEntry(c, 'post', (e) => (e['photos'] = first(e['photos']))),
  },
  {
    name: 'relates to entries of another type',
    schema: (s) => {
      attributes(s, 'post').editor.target = 'tag';
      attributes(s, 'post').related.target = 'tag';
    },
    loses: ['post.editor', 'post.related'],
    content: (c) => eachEntry(c, 'post', (e) => Object.assign(e, { editor: [], related: [] })),
  },
  {
    name: 'adds attributes of every kind, a type and a component',
    schema: (s) => {
      // Names of maximum length: those of keys and indexes are truncated.
      s.contentTypes.long = { tableName: `t${'u'.repeat(59)}`, attributes: { name: { type: 'string', unique: true } } };
      s.contentTypes.label = { attributes: { name: { type: 'string', unique: true, required: true } } };
      s.components['shared.note'] = {
        attributes: { text: { type: 'text' }, by: { type: 'relation', relation: 'oneWay', target: 'label' } },
      };
      Object.assign(attributes(s, 'post'), {
        label: { type: 'relation', relation: 'manyToOne', target: 'label' },
        labels: { type: 'relation', relation: 'manyWay', target: 'label' },
        score: { type: 'integer', required: true, default: 3 },
        note: { type: 'component', component: 'shared.note' },
      });
      attributes(s, 'post').blocks.components = ['blocks.citation', 'shared.seo', 'shared.note'];
    },
  },
  {
    name: 'replaces an attribute by a renamed one of another table shape',
    schema: (s) => {
      rename(attributes(s, 'post'), 'label', 'topics');
      attributes(s, 'post').topics.relation = 'manyWay';
      rename(attributes(s, 'post'), 'photo', 'images');
    },
    content: (c) => eachEntry(c, 'post', (e) => move(e, { label: 'topics', photo: 'images' })),
  },
  {
    name: 'drops attributes of every kind',
    schema: (s) => {
      for (const name of ['body', 'score', 'writer', 'labels', 'images', 'quotes', 'names']) {
        delete attributes(s, 'post')[name];
      }
      delete attributes(s, 'author').stories;
    },
    loses: ['post.body', 'post.score', 'post.writer', 'post.labels', 'post.images', 'post.quotes', 'post.names'],
  },
  {
    name: 'drops types, and all that names them',
    schema: (s) => {
      delete s.contentTypes.author;
      delete s.contentTypes.fact;
      delete attributes(s, 'post').detail;
      attributes(s, 'post').about.targets = ['tag'];
      delete members(s, 'blocks.citation').source;
    },
    loses: ['author', 'fact', 'blocks.citation.source'],
    content: (c) =>
      eachEntry(c, 'post', (e) => (e['about'] = e['about'].filter(([type]: [string]) => type !== 'author'))),
  },
  {
    name: 'gives a new type the table of another, which moves',
    schema: (s) => {
      rename(s.contentTypes, 'tag', 'keyword');
      s.contentTypes.long.tableName = `v${'w'.repeat(58)}`;
      s.contentTypes.topic = { tableName: 'tags', attributes: { weight: { type: 'integer' } } };
      for (const name of ['editor', 'related', 'tags']) attributes(s, 'post')[name].target = 'keyword';
      attributes(s, 'post').about.targets = ['keyword'];
    },
    content: (c) => renameTypes(c, { tag: 'keyword' }),
  },
];
