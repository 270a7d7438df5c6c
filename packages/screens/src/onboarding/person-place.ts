import type { Values } from './field-values.ts'
import { wasMadeOf } from './merge.ts'
import type { OnboardingRequest } from './request.ts'
import type { FormField } from './schema-form.ts'

export type PeopleList = 'directors' | 'ubos'

/**
 * Finds a form's person in the current list. People have no ids, and another device may have changed the list, so this
 * looks for the person with exactly the form's original values. Otherwise it takes the person at the form's
 * index if the name is the same; both changes are then merged field by field.
 * @returns the index, the list's length if the person was removed, or `new`
 */
export const placeOf = (
  fields: readonly FormField[],
  people: readonly Values[],
  { params, form }: Pick<OnboardingRequest, 'params' | 'form'>,
): number | 'new' => {
  const place = params['place'] ?? ''
  if (place === 'new') return 'new'
  const exact = people.findIndex((person) => wasMadeOf(fields, form, person))
  if (exact !== -1) return exact
  const index = /^\d{1,2}$/.test(place) ? Number(place) : people.length
  const name = form.get('was.full_name') ?? ''
  return name !== '' && people[index]?.['full_name'] === name ? index : people.length
}
