/** Escaped HTML. */
export type Html = Readonly<{ html: string }>

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const render = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
  return 'html' in value ? value.html : value.map(({ html: each }) => each).join('')
}

/** Template tag that escapes every interpolated string. */
export const html = (
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html => ({
  html: strings.reduce((text, part, index) => `${text}${render(values[index - 1] ?? '')}${part}`),
})

export const EMPTY_HTML: Html = { html: '' }
