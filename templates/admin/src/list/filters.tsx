/** The filters of a list, by attribute type. Their paths are paths in the API's `filters`: `title.$containsi`. */
import { type ComponentProps, lazy, type ReactElement, Suspense } from 'react';
import { DateInput, NumberInput, SearchInput, SelectInput, TextInput } from 'react-admin';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import {
  type Attribute,
  type ContentType,
  enumLabelOf,
  isScalar,
  labelOf,
  type RelationAttribute,
  type ScalarAttribute,
} from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { canBeColumn } from '../rest/list-query.ts';

const LazyRelationFilter = lazy(() => import('./relation-filter.tsx'));

function RelationFilter(props: ComponentProps<typeof LazyRelationFilter>) {
  return (
    <Suspense>
      <LazyRelationFilter {...props} />
    </Suspense>
  );
}

const YES_OR_NO = [
  { id: true, name: 'list.yes' },
  { id: false, name: 'list.no' },
];

function textFilter(source: string, label: string): ReactElement {
  return <TextInput key={source} source={`${source}.$containsi`} label={label} resettable />;
}

function yesOrNo(source: string, label: string): ReactElement {
  return <SelectInput key={source} source={source} label={label} choices={YES_OR_NO} />;
}

function numberFilters(source: string, label: string): ReactElement[] {
  return [
    <NumberInput key={`${source}.$gte`} source={`${source}.$gte`} label={`${label} ≥`} />,
    <NumberInput key={`${source}.$lte`} source={`${source}.$lte`} label={`${label} ≤`} />,
  ];
}

function dateFilters(source: string, label: string): ReactElement[] {
  return [
    <DateInput key={`${source}.$gte`} source={`${source}.$gte`} label={`${label} ≥`} parse={(day: string) => day} />,
    <DateInput key={`${source}.$lte`} source={`${source}.$lte`} label={`${label} ≤`} parse={(day: string) => day} />,
  ];
}

function relationFilters(
  source: string,
  label: string,
  attribute: RelationAttribute,
  index: ModelIndex,
): ReactElement[] {
  const target = index.type(attribute.target);
  if (!target) return [];
  const isThis = <RelationFilter key={source} source={`${source}.id.$eq`} label={label} type={target} />;
  const title = target.attributes[target.mainField];
  // Only titles of text types can be searched by substring.
  if (!title || !isScalar(title) || attributeType(title.type).operators !== 'text') return [isThis];
  return [isThis, textFilter(`${source}.${target.mainField}`, `${label} · ${labelOf(target.mainField, title)}`)];
}

function scalarFilters(name: string, label: string, attribute: ScalarAttribute): ReactElement[] {
  if (attribute.enum) {
    const choices = attribute.enum.map((value) => ({ id: value, name: enumLabelOf(attribute, value) }));
    return [<SelectInput key={name} source={`${name}.$eq`} label={label} choices={choices} translateChoice={false} />];
  }
  const { columnType } = attributeType(attribute.type);
  switch (columnType) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return numberFilters(name, label);
    case 'date':
    case 'datetime':
      return dateFilters(name, label);
    case 'boolean':
      return [yesOrNo(`${name}.$eq`, label)];
    case 'text':
      return [textFilter(name, label)];
    case 'time':
    case 'json':
      return [];
  }
}

function filtersOf(name: string, attribute: Attribute, index: ModelIndex): ReactElement[] {
  const label = labelOf(name, attribute);
  switch (attribute.type) {
    case 'relation':
      return relationFilters(name, label, attribute, index);
    case 'media':
      return [yesOrNo(`${name}.id.$notNull`, label)];
    case 'component':
    case 'dynamiczone':
      return [];
    default:
      return scalarFilters(name, label, attribute);
  }
}

export function listFilters(type: ContentType, index: ModelIndex): ReactElement[] {
  const named = Object.entries(type.attributes).filter(([, attribute]) => canBeColumn(attribute));
  return [
    <SearchInput key="q" source="q" alwaysOn />,
    ...(type.draftAndPublish ? [yesOrNo('publishedAt.$notNull', 'entry.published')] : []),
    ...named.flatMap(([name, attribute]) => filtersOf(name, attribute, index)),
    ...dateFilters('updatedAt', labelOf('updatedAt', undefined)),
  ];
}
