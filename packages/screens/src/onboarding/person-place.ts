import type { Values } from './field-values.ts'
import { wasMadeOf } from './merge.ts'
import type { OnboardingRequest } from './request.ts'
import type { FormField } from './schema-form.ts'

export type PeopleList = 'directors' | 'ubos'

/**
 * Where the person of a form stands in the list now. People have no ids, and the list may have been changed on another
 * device: the one from whose data the form was made is looked for. Where nobody is exactly so any more, the one at the
 * form's place is meant if it still has the same name; both changes are then merged field by field.
 * @returns the place, past the list's end when the person is gone, or `new`
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
