import {
  KYB_GROUPS,
  type FieldChange,
  type KybGroup,
  type KybRecord,
  type PersonChange,
} from '@causeway/contracts'

type Fields = Readonly<Record<string, unknown>>
type Person = KybRecord['ubos'][number] | KybRecord['directors'][number]
type Value = FieldChange['before']

/** Returns the value of a field; null if it is missing or was cleared. */
const valueOf = (fields: Fields, name: string): Value => (fields[name] ?? null) as Value

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The fields that differ, in the order of the first, then those that only the second has. */
const fieldChanges = (before: Fields, after: Fields, prefix = ''): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({
      field: `${prefix}${name}`,
      before: valueOf(before, name),
      after: valueOf(after, name),
    }))
    .filter((change) => !isSame(change.before, change.after))

type Pair = readonly [before: Person, after: Person]

/** Takes pairs that have the same key out of both lists; null is nobody's key. */
const takePairs = (before: Person[], after: Person[], keyOf: (person: Person) => string | null): Pair[] =>
  [...before].flatMap((person): Pair[] => {
    const key = keyOf(person)
    const place = key === null ? -1 : after.findIndex((other) => keyOf(other) === key)
    if (place === -1) return []
    before.splice(before.indexOf(person), 1)
    return after.splice(place, 1).map((other): Pair => [person, other])
  })

/** Fields in one order, without those that have no value: a person is stored as it was sent. */
const dataOf = (person: Person): string =>
  JSON.stringify(
    Object.entries(person)
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

const textKey = (text: string | null | undefined): string | null => text?.trim().toLowerCase() || null

const personChanges = (
  list: PersonChange['list'],
  before: readonly Person[],
  after: readonly Person[],
): PersonChange[] => {
  const removed = [...before]
  const added = [...after]
  takePairs(removed, added, dataOf)
  const changed = [
    ...takePairs(removed, added, ({ full_name: name }) => textKey(name)),
    ...takePairs(removed, added, ({ date_of_birth: date }) => textKey(date)),
  ]
  const changeOf = (change: PersonChange['change'], one: Fields, other: Fields): PersonChange => ({
    list,
    change,
    full_name: ((other['full_name'] ?? one['full_name']) as string | undefined) ?? null,
    fields: fieldChanges(one, other),
  })
  return [
    ...changed.map(([one, other]) => changeOf('changed', one, other)),
    ...removed.map((person) => changeOf('removed', person, {})),
    ...added.map((person) => changeOf('added', {}, person)),
  ]
}

/**
 * Compares two states of the data of one relationship. The order of people is ignored; if both name and date of birth differ,
 * it is a different person.
 */
export const changesBetween = (
  before: KybRecord,
  after: KybRecord,
): Readonly<{ fields: FieldChange[]; people: PersonChange[] }> => ({
  fields: [
    ...(Object.keys(KYB_GROUPS) as KybGroup[]).flatMap((group) =>
      fieldChanges(before[group], after[group], `${group}.`),
    ),
    ...fieldChanges({ ubo_declaration: before.ubo_declaration }, { ubo_declaration: after.ubo_declaration }),
    ...fieldChanges(before.additional_data, after.additional_data, 'additional_data.'),
  ],
  people: [
    ...personChanges('directors', before.directors, after.directors),
    ...personChanges('ubos', before.ubos, after.ubos),
  ],
})
