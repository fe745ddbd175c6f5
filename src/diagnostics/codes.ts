/** Every diagnostic code, with what it means in a line. */
export const diagnosticCodes = {
  'source/unreadable': 'A schema file or directory does not exist or can not be read.',
  'source/not-a-file': 'A schema path names a device, a pipe or a socket.',
  'source/too-large': 'A schema file is larger than the limit.',
  'source/too-many-files': 'A directory has more schema files than the limit.',
  'source/empty-directory': 'A directory has no schema files.',
  'source/stdin': 'The schema is not read from standard input.',
  'source/none': 'No schema file was named.',
  'source/encoding': 'A schema file is not UTF-8 text.',
  'source/control-character': 'A schema file has a character that YAML does not allow.',

  'yaml/syntax': 'The text is not YAML 1.2.',
  'yaml/too-deep': 'The nesting is deeper than the limit.',
  'yaml/too-large': 'The file has more words, lines, anchors or aliases than the limit.',
  'yaml/tag': 'A tag other than the core ones.',
  'yaml/directive': 'A directive other than %YAML 1.2.',
  'yaml/alias': 'An alias without a value, or one that repeats other aliases or too much.',
  'yaml/several-documents': 'The file has more than one document.',
  'yaml/merge-key': 'A merge key (<<).',
  'yaml/duplicate-key': 'A key is there twice in one map.',

  'schema/type': 'A value of another shape than expected.',
  'schema/text': 'A text with characters that can not be stored.',
  'schema/unknown-key': 'An option that does not exist here.',
  'schema/unknown-value': 'A word that is not one of the possible ones.',
  'schema/missing-option': 'An option that must be there.',
  'schema/defined-twice': 'A thing is defined in two places.',
  'schema/no-content-type': 'The schema defines no content type.',
  'schema/too-many-problems': 'Further problems are not shown.',

  'project/name': 'The name of the project can not be one.',
  'project/databases': 'The list of databases is empty or names one twice.',
  'project/locales': 'A locale is not valid, is there twice, or none is.',
  'project/api': 'A setting of the API is out of its range.',

  'name/invalid': 'A name with letters or signs that names can not have.',
  'name/too-long': 'A name is longer than the narrowest database allows.',
  'name/reserved': 'A name that means something already.',
  'name/clash': 'Two names are the same after conversion.',
  'name/plural': 'The plural of a type is the same as its singular.',
  'name/confusing': 'A name that known clients take for something else.',
  'name/renamed': 'A former name can not have been one.',

  'attribute/default': 'A default that is not valid for its own attribute.',
  'attribute/range': 'A range or length that is empty or impossible.',
  'attribute/regex': 'A regular expression that is not valid, or not safe.',
  'attribute/enum': 'The values of an enumeration are missing, empty, untrimmed or repeated.',
  'attribute/unique': 'An attribute of this type can not be unique.',
  'attribute/target-field': 'A uid is made from something that is no text of the same type.',
  'attribute/without-effect': 'An option that has no effect where it stands.',

  'relation/target': 'A relation without a target, or with one that it can not have.',
  'relation/unknown-target': 'A relation to a type that does not exist.',
  'relation/side': 'A relation says the other side in a way that its kind does not have.',
  'relation/missing-inverse': 'The attribute that should be the other side of a relation does not exist.',
  'relation/wrong-inverse': 'The attribute that should be the other side of a relation is something else.',
  'relation/inverse-taken': 'Two relations claim one attribute as their other side.',
  'relation/in-component': 'A relation inside a component has another side.',
  'relation/required-cycle': 'Entries of some types need each other, so that none can be created.',

  'component/unknown': 'A component that does not exist.',
  'component/recursive': 'A component contains itself.',
  'component/too-deep': 'Components are nested deeper than the limit.',
  'component/zone': 'A dynamic zone is empty, repeats a component, or stands inside a component.',

  'permission/role': 'A role with a name that roles can not have.',
  'permission/unknown-type': 'A permission for a type or endpoint that does not exist.',
  'permission/unknown-action': 'A permission for an action that does not exist.',

  'limit/columns': 'A type has more attributes than a table of the chosen databases can hold.',
  'limit/indexes': 'A type needs more indexes than a table of the chosen databases can have.',
  'limit/row-size': 'The row of a type is larger than the chosen databases allow.',

  'build/not-served-yet': 'The schema uses something that the generated server does not serve yet.',
} as const;

/** One of the codes above. */
export type DiagnosticCode = keyof typeof diagnosticCodes;
