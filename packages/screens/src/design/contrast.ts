/** Colours of WCAG 2.2: contrast of texts (1.4.3), and of the outline of a control (1.4.11). */
export const TEXT_CONTRAST = 4.5
const OUTLINE_CONTRAST = 3

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (colour: string): Channels => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
]

const hexOf = (channels: Channels): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

const linear = (value: number): number =>
  value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4

const luminance = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Returns the contrast of two colours `#rrggbb`, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Shares of black or white that are mixed in, in percent. */
const STEPS = Array.from({ length: 101 }, (_, percent) => percent / 100)

/** Mixes a colour with black or white, as little as its contrast with every ground needs. */
const readableOn = (colour: string, end: '#000000' | '#ffffff', grounds: readonly string[]): string => {
  const target = channelsOf(end)
  const mixed = (share: number): string => {
    const [red, green, blue] = channelsOf(colour).map(
      (value, index) => value + ((target[index] ?? 0) - value) * share,
    )
    return hexOf([red ?? 0, green ?? 0, blue ?? 0])
  }
  const found = STEPS.find((share) =>
    grounds.every((ground) => contrast(mixed(share), ground) >= TEXT_CONTRAST),
  )
  return found === undefined ? end : mixed(found)
}

/** The grounds of texts in each scheme, as in style.css, and the outline of quiet buttons. */
export const SCHEMES = {
  light: { sheet: '#ffffff', ground: '#f3f4f1', neutral: '#e9ecea', edge: '#6d756f' },
  dark: { sheet: '#1c211e', ground: '#131715', neutral: '#2a312d', edge: '#8b958f' },
} as const
type Scheme = keyof typeof SCHEMES

/** The colours that a page makes of an accent colour, in one scheme. */
export type Accent = Readonly<{ fill: string; onFill: string; fillEdge: string; link: string }>

/** Derives the colours of buttons and links from an accent colour `#rrggbb`. */
export const accentOf = (colour: string, scheme: Scheme): Accent => {
  const { edge, ...grounds } = SCHEMES[scheme]
  const onBlack = contrast(colour, '#000000')
  const standsOut = contrast(colour, grounds.sheet) >= OUTLINE_CONTRAST
  return {
    fill: colour,
    onFill: onBlack >= contrast(colour, '#ffffff') ? '#000000' : '#ffffff',
    fillEdge: standsOut ? colour : edge,
    link: readableOn(colour, scheme === 'light' ? '#000000' : '#ffffff', Object.values(grounds)),
  }
}

const declarationsOf = ({ fill, onFill, fillEdge, link }: Accent): string =>
  `--fill: ${fill}; --on-fill: ${onFill}; --fill-edge: ${fillEdge}; --accent: ${link};`

/** Name of the style sheet of an accent colour `#rrggbb`, below `FILES_PATH`. */
export const accentFileName = (colour: string): string => `accent-${colour.slice(1)}.css`

const FILE_NAME = /^accent-([0-9a-f]{6})\.css$/

/** Returns the style sheet of that name; null for any other name. It depends on the name alone. */
export const accentFile = (name: string): string | null => {
  const digits = FILE_NAME.exec(name)?.[1]
  if (digits === undefined) return null
  const colour = `#${digits}`
  return `:root { ${declarationsOf(accentOf(colour, 'light'))} }
@media (prefers-color-scheme: dark) { :root { ${declarationsOf(accentOf(colour, 'dark'))} } }
`
}
