import { raw } from 'hono/html'
import { html, type Html } from './html.ts'

/** Bars of one colour: a value for each day. */
export type Series = Readonly<{ name: string; tone: 'main' | 'second'; values: readonly number[] }>

type DayChart = Readonly<{
  title: string
  /** Days in order, YYYY-MM-DD. */
  days: readonly string[]
  /** Stacked in this order. No value is negative. */
  series: readonly Series[]
  /** Text of a value of the axis. */
  format: (value: number) => string
}>

/** Widths in pixels. A screen shows one of the drawings: text in a wide one would be too small on a phone. */
const WIDTHS = { wide: 720, narrow: 320 } as const
const HEIGHT = 200
/** Space for the labels of amounts. */
const LABEL_WIDTH = 64
/** Space for the label of a day. */
const DAY_WIDTH = 90
const DAY_MS = 86_400_000

const DAY_FORMAT = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The parts of a DOM that drawings use: this project has no types of browsers. */
type Drawing = Readonly<{
  querySelectorAll: (
    selector: string,
  ) => Iterable<Readonly<{ remove: () => void; removeAttribute: (name: string) => void }>>
  outerHTML: string
}>

/** Each series on top of the one before. */
const stacked = (series: readonly Series[], days: readonly string[]) => {
  const tops = days.map(() => 0)
  return series.map(({ tone, values }) => ({
    tone,
    bars: days.map((day, index) => {
      const y1 = tops[index] ?? 0
      const y2 = y1 + (values[index] ?? 0)
      tops[index] = y2
      return { x1: new Date(day), x2: new Date(Date.parse(day) + DAY_MS), y1, y2 }
    }),
  }))
}

const draw = async (chart: DayChart, size: keyof typeof WIDTHS): Promise<Html> => {
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
  const { document } = parseHTML('<html></html>') as unknown as Readonly<{ document: object }>
  const width = WIDTHS[size]
  const options = {
    document,
    width,
    height: HEIGHT,
    marginLeft: LABEL_WIDTH,
    className: size,
    x: { type: 'utc' as const, label: null, ticks: Math.floor((width - LABEL_WIDTH) / DAY_WIDTH) },
    y: { label: null, ticks: 4, zero: true },
    marks: [
      Plot.gridY({ className: 'grid', ticks: 4 }),
      Plot.axisY({ className: 'axis', ticks: 4, tickSize: 0, tickFormat: chart.format }),
      Plot.axisX({ className: 'axis', tickFormat: (day: Date) => DAY_FORMAT.format(day) }),
      ...stacked(chart.series, chart.days).map(({ tone, bars }) =>
        Plot.rect(bars, { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', inset: 0.5, className: tone }),
      ),
      Plot.ruleY([0], { className: 'base' }),
    ],
  }
  const figure = Plot.plot(options) as unknown as Drawing
  // The policy of the pages forbids style elements.
  for (const style of figure.querySelectorAll('style')) style.remove()
  // Groups without a role may have no name (WAI-ARIA 1.2); the figure has one.
  for (const group of figure.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label')
  // Serialised from a document, so its text is escaped.
  return raw(figure.outerHTML)
}

/** Draws values by day as stacked bars. The page needs a table of the values too, because the drawing has no text for them. */
export const dayChart = async (chart: DayChart): Promise<Html> => html`
  <figure class="chart">
    <figcaption>
      ${chart.title}
      ${chart.series.length > 1 && html`<span class="legend">${chart.series.map(({ name, tone }) => html`<span class="${tone}">${name}</span>`)}</span>`}
    </figcaption>
    <div role="img" aria-label="${chart.title} by day, as bars">
      ${await Promise.all([draw(chart, 'wide'), draw(chart, 'narrow')])}
    </div>
  </figure>
`
