import { verifications, type Verification } from '@causeway/contracts'
import type { Answer } from '../screen.ts'
import type { Values } from './field-values.ts'
import { refusedAnswer } from './frame.ts'
import type { PeopleList } from './person-place.ts'
import type { OnboardingRequest } from './request.ts'
import { formSections, type FormSection } from './schema-form.ts'
import { missingFields, withState, type FormAnswer, type OnboardingState } from './state.ts'

export const NEW = 'new'

const isPeopleList = (name: string | undefined): name is PeopleList => name === 'directors' || name === 'ubos'

export const peopleOf = (verification: Verification | null, list: PeopleList): readonly Values[] =>
  verification?.[list] ?? []

export const missingOf = (state: OnboardingState, list: PeopleList, index: number): readonly string[] =>
  missingFields(state).filter((path) => path.startsWith(`${list}.${index}.`))

export type View = Readonly<{ list: PeopleList; section: FormSection; all: readonly FormSection[] }>
export type Show = (
  request: OnboardingRequest,
  state: OnboardingState,
  view: View,
) => FormAnswer | Promise<FormAnswer>

/** Calls `show` with the list of people that the path names. */
export const withList =
  (show: Show) =>
  (request: OnboardingRequest): Promise<Answer> =>
    withState(async (_, state) => {
      const schema = await request.ask(verifications.getSchema, {})
      if (!schema.ok) return refusedAnswer(schema.code, request)
      const all = formSections(schema.value)
      const { list } = request.params
      const section = all.find(({ kind, name }) => kind === 'people' && name === list)
      if (section === undefined || !isPeopleList(list)) return { kind: 'error', code: 'resource_not_found' }
      return show(request, state, { list, section, all })
    })(request)
