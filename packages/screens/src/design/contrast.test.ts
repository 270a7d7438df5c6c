import { readFileSync } from 'node:fs'
import { expect, it, describe } from '@jest/globals'
import fc from 'fast-check'
import { accentFile, accentFileName, accentOf, contrast, SCHEMES, TEXT_CONTRAST } from './contrast.ts'

const colours = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
const schemes = fc.constantFrom<('light' | 'dark')[]>('light', 'dark')

describe('the contrast of two colours', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#0d5c46', '#0d5c46', 1],
    // The examples of the technique G18 of WCAG.
    ['#ff0000', '#ffffff', 4],
  ])('is correct for %s and %s: %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 2)
    expect(contrast(other, one)).toBeCloseTo(expected, 2)
  })
})

describe('the colours of an accent colour', () => {
  it('have at least 4.5 to 1 between a button and its text, whatever the colour', () => {
    fc.assert(
      fc.property(colours, schemes, (colour, scheme) => {
        const { fill, onFill } = accentOf(colour, scheme)
        expect(fill).toBe(colour)
        expect(contrast(fill, onFill)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
      }),
      { numRuns: 2_000 },
    )
  })

  it('have at least 4.5 to 1 between a link and every ground of the page, whatever the colour', () => {
    fc.assert(
      fc.property(colours, schemes, (colour, scheme) => {
        const { sheet, ground, neutral } = SCHEMES[scheme]
        const { link } = accentOf(colour, scheme)
        for (const behind of [sheet, ground, neutral])
          expect(contrast(link, behind)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
      }),
      { numRuns: 2_000 },
    )
  })

  it('have at least 3 to 1 between the outline of a button and its sheet, whatever the colour', () => {
    fc.assert(
      fc.property(colours, schemes, (colour, scheme) => {
        const { fillEdge } = accentOf(colour, scheme)
        expect(contrast(fillEdge, SCHEMES[scheme].sheet)).toBeGreaterThanOrEqual(3)
      }),
    )
  })

  it('leave a colour that is readable as it is', () => {
    expect(accentOf('#0d5c46', 'light')).toEqual({
      fill: '#0d5c46',
      onFill: '#ffffff',
      fillEdge: '#0d5c46',
      link: '#0d5c46',
    })
  })

  it('are computed for the grounds that the style sheet has', () => {
    const [light = '', dark = ''] = readFileSync(new URL('./style.css', import.meta.url), 'utf8').split(
      '@media (prefers-color-scheme: dark)',
    )
    for (const [scheme, text] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const { sheet, ground, neutral, edge } = SCHEMES[scheme]
      const names = { sheet, ground, 'neutral-ground': neutral, edge }
      for (const [name, value] of Object.entries(names)) expect(text).toContain(`--${name}: ${value};`)
    }
  })
})

describe('the style sheet of a colour', () => {
  it('is found by its name, and sets nothing but colours', () => {
    const text = accentFile(accentFileName('#ffd400')) ?? ''
    expect(text.replaceAll(/--[a-z-]+: #[0-9a-f]{6};/g, '').replaceAll(/\s+/g, ' ')).toBe(
      ':root { } @media (prefers-color-scheme: dark) { :root { } } ',
    )
  })

  it.each([
    'accent-ffd40.css',
    'accent-FFD400.css',
    'accent-ffd400;}.css',
    'accent-ffd400.css.css',
    'style.css',
  ])('does not exist under the name %s', (name) => {
    expect(accentFile(name)).toBeNull()
  })
})
