import { CAPABILITIES, SCOPES, type Partner, type partners } from '@causeway/contracts'
import type { z } from 'zod'
import { checkboxes, html, textField, type Html } from '../../design/index.ts'
import type { FormState } from '../../form-state.ts'

export type Field = [name: string, value: string]

type PartnerInput = z.input<(typeof partners)['create']['body']>

/** Fills the form with an existing partner. */
export const formOfPartner = (partner: Partner): URLSearchParams =>
  new URLSearchParams([
    ['name', partner.name],
    ...partner.scopes.map((scope): Field => ['scopes', scope]),
    ...partner.default_capabilities.map((capability): Field => ['default_capabilities', capability]),
  ])

/** Fills the form of a new partner with all scopes and capabilities, the operation's defaults. */
export const formOfNewPartner = (): URLSearchParams =>
  new URLSearchParams([
    ...SCOPES.map((scope): Field => ['scopes', scope]),
    ...CAPABILITIES.map((capability): Field => ['default_capabilities', capability]),
  ])

/** Returns the known values among the checked ones. */
export const chosen = <T extends string>(form: URLSearchParams, name: string, known: readonly T[]): T[] =>
  known.filter((value) => form.getAll(name).includes(value))

export const partnerOfForm = (form: URLSearchParams): PartnerInput => ({
  name: form.get('name') ?? '',
  scopes: chosen(form, 'scopes', SCOPES),
  default_capabilities: chosen(form, 'default_capabilities', CAPABILITIES),
})

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, text: value }))

export const scopeFields = ({ entered, errors }: FormState, label: string): Html =>
  checkboxes({
    name: 'scopes',
    label,
    options: optionsOf(SCOPES),
    values: entered.getAll('scopes'),
    error: errors['scopes'],
  })

export const partnerFields = (state: FormState): Html => {
  const { entered, errors } = state
  return html`${textField({
    name: 'name',
    label: 'Name',
    value: entered.get('name') ?? '',
    error: errors['name'],
    isRequired: true,
  })}
  ${scopeFields(state, 'Scopes of its clients')}
  ${checkboxes({
    name: 'default_capabilities',
    label: 'Default capabilities of its new customers',
    options: optionsOf(CAPABILITIES),
    values: entered.getAll('default_capabilities'),
    error: errors['default_capabilities'],
  })}`
}
