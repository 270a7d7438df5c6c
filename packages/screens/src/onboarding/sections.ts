import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import type { Tone } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import { sectionTitle } from './labels.ts'
import type { FormSection } from './schema-form.ts'
import { missingDocuments, missingFields, type OnboardingState } from './state.ts'

export type SectionState = 'done' | 'started' | 'empty'

/** A section of the onboarding, with the path of its page. */
export type Section = Readonly<{ path: string; title: string; state: SectionState; note: string }>

export const SECTION_TONES: Readonly<Record<SectionState, Tone>> = {
  done: 'good',
  started: 'warning',
  empty: 'neutral',
}

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const hasAny = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).some((field) => !isBlank(field))
    : !isBlank(value)

/** True if a path names the group or something in it. */
export const isWithin = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`)

export const pathOfSection = ({ name, kind }: Pick<FormSection, 'name' | 'kind'>): string =>
  kind === 'group' ? `/details/${name}` : `/people/${name}`

const formSection = (language: Language, state: OnboardingState, section: FormSection): Section => {
  const { name } = section
  const { verification } = state
  const missing = missingFields(state).filter((path) => isWithin(path, name))
  const begun = verification !== null && hasAny(verification[name as keyof typeof verification])
  // Before the first write nothing is reported as missing, although everything is.
  const isDone = verification !== null && missing.length === 0
  return {
    path: pathOfSection(section),
    title: sectionTitle(language, name),
    state: isDone ? 'done' : begun ? 'started' : 'empty',
    note: missing.length > 0 && begun ? language.text('section.left', { count: missing.length }) : '',
  }
}

const documentSection = ({ text }: Language, state: OnboardingState): Section => {
  const missing = new Set<string>(missingDocuments(state))
  const present = new Set<string>(state.documents.map(({ document_type: type }) => type))
  const left = REQUIRED_DOCUMENT_TYPES.filter((type) => missing.has(type) || !present.has(type)).length
  const isDone = left === 0
  const some = left < REQUIRED_DOCUMENT_TYPES.length
  return {
    path: '/documents',
    title: text('section.documents'),
    state: isDone ? 'done' : some ? 'started' : 'empty',
    note: isDone ? '' : text('section.missing', { count: left, all: REQUIRED_DOCUMENT_TYPES.length }),
  }
}

const agreementSections = ({ text }: Language, { agreements }: OnboardingState): Section[] => {
  if (agreements.length === 0) return []
  const left = agreements.filter(({ status }) => status !== 'accepted').length
  return [
    {
      path: '/agreements',
      title: text('section.agreements'),
      state: left === 0 ? 'done' : left < agreements.length ? 'started' : 'empty',
      note: left === 0 ? '' : text('section.toAccept', { count: left, all: agreements.length }),
    },
  ]
}

/** Returns all sections in the order in which the merchant fills them in. */
export const sectionsOf = (
  language: Language,
  state: OnboardingState,
  form: readonly FormSection[],
): Section[] => [
  ...form.map((section) => formSection(language, state, section)),
  documentSection(language, state),
  ...agreementSections(language, state),
]

/** Returns the path of the next section that is not done, or of the review page. */
export const pathAfter = (sections: readonly Section[], path: string): string => {
  const at = sections.findIndex((section) => section.path === path)
  return sections.slice(at + 1).find(({ state }) => state !== 'done')?.path ?? '/review'
}
