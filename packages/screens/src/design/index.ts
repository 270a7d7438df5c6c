export { dayChart, type Series } from './chart.ts'
export { copyable, dialogButton, linkButton, submit, submitAndNext, wantsNext } from './button.ts'
export { codeBlock } from './code-block.ts'
export {
  amountInUnit,
  cryptoAmount,
  definitionList,
  fiat,
  fiatOfMinorUnits,
  taggedStatus,
  time,
  timeLine,
} from './facts.ts'
export type { Fact, Moment } from './facts.ts'
export { SCREEN_FILES, SCREEN_POLICY, type ScreenFile } from './files.ts'
export {
  checkbox,
  checkboxes,
  errorSummary,
  filterForm,
  form,
  queryForm,
  selectField,
  textArea,
  textField,
  timeField,
  type FieldErrors,
} from './form.ts'
export { inLanguage } from './language-switch.ts'
export { LIVE_SCRIPTS, livePart } from './live-part.ts'
export { EMPTY, html, type Html, type Part } from './html.ts'
export { navigation, type NavigationLink } from './navigation.ts'
export { emptyState, notice, statusTag, type Tone } from './notice.ts'
export { FILES_PATH, page, type PageContent } from './page.ts'
export type { PageBrand } from './page-brand.ts'
export { accentFile } from './contrast.ts'
export { pagination, table, type Column } from './table.ts'
export { showcase } from './showcase.ts'
